import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, Pencil, Share2, Trash2, WandSparkles } from 'lucide-react';
import { useRef, useState, type ReactNode, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'wouter';
import type { Memory } from '#shared/memory';
import { classNames } from '../../../lib/class-names.ts';
import { useHasDraft } from '../../../lib/form-drafts.ts';
import { nameOf, storyOf, whenOf } from '../../../lib/memory-text.ts';
import { caricaturePath } from '../../../lib/paths.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogClose, DialogTitle } from '../../../ui/dialog.tsx';
import { Menu, type MenuItem } from '../../../ui/menu.tsx';
import { showToast } from '../../../ui/toast-store.ts';
import { useAppConfig } from '../../app-config/app-config-api.ts';
import type { MemoryWords } from '../form/memory-form.ts';
import { LikeHeart } from '../grid/memory-card-buttons.tsx';
import { useImageDescription } from '../use-image-description.ts';
import { pressDialogKey, type DialogKeys } from './dialog-keys.ts';
import { FeaturedPet } from './featured-pet.tsx';
import { lightboxCode } from './lightbox-code.ts';
import { MemoryCaption } from './memory-caption.tsx';
import type { MemoryEdit } from './memory-changes.ts';
import { MemoryEditForm } from './memory-edit-form.tsx';
import { MemoryLink } from './memory-link.tsx';
import { PhotoPlace } from './photo-place.tsx';
import { PreviousNextButtons } from './previous-next-buttons.tsx';
import { useFeaturedPet } from './use-featured-pet.ts';
// Not with the lightbox's code: a style that could not be fetched is not asked for again.
import './lightbox.css';

interface MemoryDialogProps {
  memory: Memory;
  isOpen: boolean;
  /** Null while the memory is only looked at. */
  edit: MemoryEdit | null;
  /** Of what was typed about it and not saved. */
  draftKey: string;
  onEdit: () => void;
  onSave: (words: MemoryWords) => void;
  onCancelEdit: () => void;
  onLike: () => void;
  onShare: () => void;
  onDelete: () => void;
  onClose: () => void;
  /** Null where there is none. */
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
  /** Null where there is none, undefined while it is not loaded. */
  previous: Memory | undefined | null;
  next: Memory | undefined | null;
  /** Where it stands in its list; counts from 0. */
  place: number;
  /** The next or the previous one was asked for and is being loaded. */
  isNavigating: boolean;
  /** Then it is told to screen readers. */
  isNavigatedTo: boolean;
}

/** One memory, looked at closely, or having what is written about it changed. The photo comes first, whatever is written. */
export function MemoryDialog({ memory, isOpen, onClose, edit, ...on }: MemoryDialogProps) {
  const editButton = useRef<HTMLButtonElement>(null);
  const photoButton = useRef<HTMLButtonElement>(null);
  const description = useImageDescription(memory);
  const { lightbox, openLightbox } = useLightbox({ memory, isDialogOpen: isOpen, ...on });
  const leaveForm = (leave: () => void) => {
    // The button has to be there before the focus can go to it.
    flushSync(leave);
    editButton.current?.focus();
  };
  const keys: DialogKeys = {
    ArrowLeft: () => on.onPrevious?.(),
    ArrowRight: () => on.onNext?.(),
    l: on.onLike,
    e: on.onEdit,
    // Pressed, it gets the focus back.
    f: () => photoButton.current?.click(),
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      className="p-0 max-sm:rounded-none sm:max-w-[108rem] sm:p-0"
      isBusy={edit !== null}
      focusesItself
      hasOwnClose
      onKeyDown={(event) => !edit && pressDialogKey(event, keys)}
    >
      <p role="status" className="sr-only">
        {on.isNavigatedTo && description}
      </p>
      <div
        className={classNames(layout, edit ? '[--photo-height:9rem]' : '[--photo-height:calc(100dvh-13rem)]')}
      >
        <div className={bar}>
          <PreviousNextButtons
            noun="memory"
            onPrevious={on.onPrevious}
            onNext={on.onNext}
            tone="ink"
            className="flex gap-1 [&_svg]:size-6"
          />
          <DialogClose isNamed className="ml-auto" />
        </div>
        <div className={photoArea}>
          <PhotoPlace
            memory={memory}
            buttonRef={photoButton}
            onOpen={openLightbox}
            onPrevious={edit ? null : on.onPrevious}
            onNext={edit ? null : on.onNext}
          />
        </div>
        {edit ? (
          <div className={textArea}>
            <DialogTitle className="sr-only">{nameOf(memory)}</DialogTitle>
            <MemoryEditForm
              key={memory.id}
              edit={edit}
              draftKey={on.draftKey}
              onSave={(words) => leaveForm(() => on.onSave(words))}
              onCancel={() => leaveForm(on.onCancelEdit)}
            />
          </div>
        ) : (
          <MemoryDetails memory={memory} editButton={editButton} {...on} />
        )}
      </div>
      {lightbox}
    </Dialog>
  );
}

/** One column on a phone, with bar and actions in reach; elsewhere the photo on the left has the whole height. */
const layout =
  'flex min-h-dvh flex-col sm:min-h-0 md:grid md:min-h-[calc(100dvh-3rem)] md:grid-cols-[minmax(0,1fr)_22rem] md:grid-rows-[auto_auto_1fr] md:[--photo-height:max(16rem,calc(100dvh-6rem))]';
const bar =
  'sticky top-0 z-10 flex items-center bg-sheet px-2 py-1.5 sm:rounded-t-sheet sm:px-4 md:static md:col-start-2 md:pt-4 md:pr-4 md:pl-0';
const photoArea =
  'flex px-2 sm:px-6 md:sticky md:top-6 md:col-start-1 md:row-span-3 md:row-start-1 md:h-[calc(100dvh-3rem)] md:min-h-72 md:self-start md:p-6';
const textArea = 'min-w-0 px-5 pt-5 pb-6 sm:px-6 md:col-start-2 md:pt-2 md:pr-7 md:pl-1';

interface LightboxOptions extends Pick<
  MemoryDialogProps,
  'memory' | 'previous' | 'next' | 'place' | 'isNavigating' | 'onPrevious' | 'onNext'
> {
  isDialogOpen: boolean;
}

/** The photo alone, on the whole screen. Its code is fetched while the dialog is looked at. */
function useLightbox({ isDialogOpen, ...options }: LightboxOptions) {
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const { data: module } = useQuery({ ...lightboxCode, enabled: isDialogOpen });
  const openLightbox = () => {
    setOpen(true);
    queryClient.ensureQueryData(lightboxCode).catch(() => {
      setOpen(false);
      showToast(NOT_SHOWN);
    });
  };
  const lightbox = module && (
    <module.Lightbox {...options} isOpen={isOpen && isDialogOpen} onClose={() => setOpen(false)} />
  );
  return { lightbox, openLightbox };
}

const NOT_SHOWN = {
  title: 'The photo could not be shown full screen',
  description: 'Please check your connection and try again.',
  variant: 'destructive' as const,
};

interface MemoryDetailsProps extends Pick<
  MemoryDialogProps,
  'memory' | 'draftKey' | 'onEdit' | 'onLike' | 'onShare' | 'onDelete'
> {
  editButton: RefObject<HTMLButtonElement | null>;
}

function MemoryDetails({ memory, draftKey, editButton, onEdit, onLike, ...on }: MemoryDetailsProps) {
  const pet = useFeaturedPet(memory);
  const hasDraft = useHasDraft(draftKey);
  return (
    <>
      <div className={classNames(textArea, 'space-y-5')}>
        <MemoryCaption key={memory.id} memory={memory} />
        <Detail name="The Story">{storyOf(memory)}</Detail>
        <Detail name="When">{whenOf(memory)}</Detail>
        {pet && (
          <Detail name="Featured Pet">
            <FeaturedPet pet={pet} />
          </Detail>
        )}
        <MemoryLink memory={memory} />
      </div>
      <div className={actionBar}>
        {hasDraft && <p className="pb-2 text-small text-muted">You have unsaved changes.</p>}
        <div className="flex items-center gap-2">
          <Button
            ref={editButton}
            className="flex-1"
            onClick={onEdit}
            aria-keyshortcuts="E"
            title="Edit Memory (E)"
          >
            <Pencil className="size-4.5" />
            Edit Memory
          </Button>
          <Button
            variant="secondary"
            onClick={onLike}
            aria-keyshortcuts="L"
            title={`${memory.isLiked ? 'Loved' : 'Love'} (L)`}
          >
            <LikeHeart isLiked={memory.isLiked} />
            {memory.isLiked ? 'Loved' : 'Love'}
          </Button>
          <MoreMenu memory={memory} {...on} />
        </div>
      </div>
    </>
  );
}

/** In reach of a thumb on a phone, below the words elsewhere. */
const actionBar =
  'sticky bottom-0 z-10 mt-auto bg-sheet px-5 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:rounded-b-sheet sm:px-6 md:static md:col-start-2 md:mt-0 md:self-start md:pt-1 md:pr-7 md:pb-7 md:pl-1';

type MoreMenuProps = Pick<MemoryDialogProps, 'memory' | 'onShare' | 'onDelete'>;

/** Secondary actions. */
function MoreMenu({ memory, onShare, onDelete }: MoreMenuProps) {
  const [, navigate] = useLocation();
  const { data: config } = useAppConfig();
  const canBeDrawn = memory.petId !== null && config?.caricaturesEnabled !== false;
  const caricature: MenuItem = {
    name: 'Caricature',
    Icon: WandSparkles,
    onChoose: () => navigate(caricaturePath(memory.id), { state: { isCalled: true } }),
  };
  return (
    <Menu
      isFocusFallback
      label="More actions"
      tone="outlined"
      items={[
        { name: 'Share', Icon: Share2, onChoose: onShare },
        ...(canBeDrawn ? [caricature] : []),
        { name: 'Download', Icon: Download, onChoose: () => download(memory) },
        { name: 'Delete', Icon: Trash2, isDanger: true, onChoose: onDelete },
      ]}
    />
  );
}

/** The file as it came. */
function download({ imageUrl }: Memory): void {
  const link = document.createElement('a');
  link.href = `${imageUrl}/original`;
  link.download = '';
  link.click();
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="font-sans text-small font-semibold tracking-normal text-muted">{name}</h3>
      <p dir="auto" className="mt-0.5 text-lead wrap-anywhere">
        {children}
      </p>
    </section>
  );
}
