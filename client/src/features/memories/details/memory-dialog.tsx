import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { classNames } from '../../../lib/class-names.ts';
import { useFormDraft, RestoredDraftNotice } from '../../drafts/form-drafts.tsx';
import { useImageDescription } from '../memory-text.ts';
import { memoryTitle } from '../../../lib/memory-title.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Dialog, DialogClose, DialogTitle } from '../../../ui/dialogs/dialog.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { CHECK_CONNECTION, showFailure } from '../../../ui/toasts/show-error.ts';
import { usePets } from '../../pets/pet-api.ts';
import { MemoryFields } from '../fields/memory-fields.tsx';
import { resolvePetId, useMemoryForm, type MemoryFormValues } from '../fields/memory-form-values.ts';
import { getChanges, toFormValues, type MemoryEdit } from '../fields/memory-edit.ts';
import { MemoryDetails, textArea } from './memory-details.tsx';
import { toShortcut, type Shortcut } from './memory-dialog-shortcuts.ts';
import { PhotoFrame } from './photo-frame.tsx';
import { PreviousNextButtons } from './previous-next-buttons.tsx';
import type { MemoryDialogProps } from './use-memory-dialog.ts';
// Not in the lightbox's chunk, since Vite does not retry a stylesheet that failed to load.
import './lightbox.css';

export function MemoryDialog(props: MemoryDialogProps) {
  const { memory, edit, onPrevious, onNext } = props;
  const editButton = useRef<HTMLButtonElement>(null);
  const photoButton = useRef<HTMLButtonElement>(null);
  const description = useImageDescription(memory);
  const { lightbox, openLightbox } = useLightbox(props);
  const leaveForm = (leave: () => void) => {
    // Synchronous, so that the button exists when it is focused.
    flushSync(leave);
    editButton.current?.focus();
  };
  const shortcuts = {
    ArrowLeft: () => onPrevious?.(),
    ArrowRight: () => onNext?.(),
    l: props.onLike,
    e: props.onEdit,
    // A click, so that the focus returns to the button.
    f: () => photoButton.current?.click(),
  };
  return (
    <Dialog
      isOpen={props.isOpen}
      onClose={props.onClose}
      hasViewTransition={props.hasViewTransition}
      className="p-0 max-sm:rounded-none sm:max-w-[108rem] sm:p-0"
      isBusy={edit !== null}
      focusesItself
      hasOwnClose
      onKeyDown={(event) => !edit && handleShortcut(event, shortcuts)}
    >
      <p role="status" className="sr-only">
        {props.direction && description}
      </p>
      <div
        className={classNames(layout, edit ? '[--photo-height:9rem]' : '[--photo-height:calc(100dvh-13rem)]')}
      >
        <div className={bar}>
          <PreviousNextButtons
            noun="memory"
            onPrevious={onPrevious}
            onNext={onNext}
            tone="ink"
            className="flex gap-1 [&_svg]:size-6"
          />
          <DialogClose isNamed className="ml-auto" />
        </div>
        <div className={photoArea}>
          <PhotoFrame
            memory={memory}
            preview={props.preview}
            buttonRef={photoButton}
            direction={props.direction}
            onOpen={openLightbox}
            onPrevious={edit ? null : onPrevious}
            onNext={edit ? null : onNext}
          />
        </div>
        {edit ? (
          <div className={textArea}>
            <DialogTitle className="sr-only">{memoryTitle(memory)}</DialogTitle>
            <EditForm
              key={memory.id}
              edit={edit}
              draftKey={props.draftKey}
              onSave={(values) => leaveForm(() => props.onSave(values))}
              onCancel={() => leaveForm(props.onCancelEdit)}
            />
          </div>
        ) : (
          <MemoryDetails dialog={props} editButton={editButton} />
        )}
      </div>
      {lightbox}
    </Dialog>
  );
}

/** One column on a phone, with sticky bar and actions. Elsewhere the photo on the left has the full height. */
const layout =
  'flex min-h-dvh flex-col sm:min-h-0 md:grid md:min-h-[calc(100dvh-3rem)] md:grid-cols-[minmax(0,1fr)_22rem] md:grid-rows-[auto_auto_1fr] md:[--photo-height:max(16rem,calc(100dvh-6rem))]';
const bar =
  'sticky top-0 z-10 flex items-center bg-sheet px-2 py-1.5 sm:rounded-t-sheet sm:px-4 md:static md:col-start-2 md:pt-4 md:pr-4 md:pl-0';
const photoArea =
  'flex overflow-x-clip sm:px-6 md:sticky md:top-6 md:col-start-1 md:row-span-3 md:row-start-1 md:h-[calc(100dvh-3rem)] md:min-h-72 md:self-start md:p-6';

function handleShortcut(event: KeyboardEvent<HTMLElement>, shortcuts: Record<Shortcut, () => void>): void {
  const { target, currentTarget } = event;
  if (event.defaultPrevented || !(target instanceof Element) || !currentTarget.contains(target)) return;
  const shortcut = toShortcut(event);
  if (!shortcut) return;
  event.preventDefault();
  // Only arrow keys repeat while they are held down.
  if (!event.repeat || shortcut.startsWith('Arrow')) shortcuts[shortcut]();
}

/** Loads PhotoSwipe on demand. A query, because a failed import can then be retried. */
const lightboxCode = queryOptions({
  queryKey: ['lightbox code'],
  staleTime: Infinity,
  queryFn: () => import('./lightbox.tsx'),
});

function useLightbox(props: MemoryDialogProps) {
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const { data: module } = useQuery({ ...lightboxCode, enabled: props.isOpen });
  const openLightbox = () => {
    setOpen(true);
    queryClient.ensureQueryData(lightboxCode).catch(() => {
      setOpen(false);
      showFailure('The photo could not be shown full screen', CHECK_CONNECTION);
    });
  };
  const lightbox = module && (
    <module.Lightbox {...props} isOpen={isOpen && props.isOpen} onClose={() => setOpen(false)} />
  );
  return { lightbox, openLightbox };
}

interface EditFormProps {
  edit: MemoryEdit;
  draftKey: string;
  onSave: (values: MemoryFormValues) => void;
  onCancel: () => void;
}

function EditForm({ edit, draftKey, onSave, onCancel }: EditFormProps) {
  const [before] = useState(() => toFormValues(edit.before));
  const [isRestored] = useState(() => getChanges(edit) !== null);
  const form = useMemoryForm(edit.values, before.memoryTime);
  useFormDraft(draftKey, form, before);
  const { data: pets } = usePets();
  const save = (values: MemoryFormValues) =>
    onSave({ ...values, petId: resolvePetId(values.petId, pets, before.petId) });
  return (
    <Form form={form} onSubmit={save} className="space-y-5">
      {isRestored && <RestoredDraftNotice />}
      <MemoryFields form={form} noPet="No pet" currentPetId={before.petId} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit">Save</Button>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}
