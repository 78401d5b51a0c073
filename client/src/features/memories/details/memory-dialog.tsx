import { Pencil, Trash2 } from 'lucide-react';
import { useRef, type ReactNode, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import type { Memory } from '#shared/memory';
import { classNames } from '../../../lib/class-names.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogTitle } from '../../../ui/dialog.tsx';
import { FeaturedPet } from './featured-pet.tsx';
import { useIsAnimated } from '../memory-api.ts';
import { MemoryCaption } from './memory-caption.tsx';
import { LikeHeart } from '../grid/memory-card-buttons.tsx';
import type { MemoryEdit } from './memory-changes.ts';
import { MemoryEditForm } from './memory-edit-form.tsx';
import type { MemoryWords } from '../form/memory-form.ts';
import { MemoryImage } from '../memory-image.tsx';
import { isStory, nameOf, storyOf, whenOf } from '../../../lib/memory-text.ts';
import { useFeaturedPet } from './use-featured-pet.ts';

/** How much of the screen's height the photo may take. */
const PHOTO_HEIGHT = '58dvh';

interface MemoryDialogProps {
  memory: Memory;
  isOpen: boolean;
  /** Null while the memory is only looked at. */
  edit: MemoryEdit | null;
  onEdit: () => void;
  onSave: (words: MemoryWords) => void;
  onCancelEdit: () => void;
  onLike: () => void;
  onDelete: () => void;
  onClose: () => void;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** One memory, looked at closely, or having what is written about it changed. The photo comes first, whatever is written. */
export function MemoryDialog({ memory, isOpen, onClose, returnFocusTo, edit, ...on }: MemoryDialogProps) {
  const editButton = useRef<HTMLButtonElement>(null);
  const leaveForm = (leave: () => void) => {
    // The button has to be there before the focus can go to it.
    flushSync(leave);
    editButton.current?.focus();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      className="sm:max-w-5xl"
      isBusy={edit !== null}
      returnFocusTo={returnFocusTo}
    >
      <div className="grid gap-x-10 gap-y-6 md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <LargePhoto memory={memory} isBesideStory={!edit && isStory(memory)} />
        <div className="min-w-0 self-center md:py-10">
          {edit ? (
            <>
              <DialogTitle className="sr-only">{nameOf(memory)}</DialogTitle>
              <MemoryEditForm
                edit={edit}
                onSave={(words) => leaveForm(() => on.onSave(words))}
                onCancel={() => leaveForm(on.onCancelEdit)}
              />
            </>
          ) : (
            <MemoryDetails
              memory={memory}
              editButton={editButton}
              onEdit={on.onEdit}
              onLike={on.onLike}
              onDelete={on.onDelete}
              onClose={onClose}
            />
          )}
        </div>
      </div>
    </Dialog>
  );
}

/** In its own shape, uncut, as large as there is room; stays in sight beside a story that scrolls. */
function LargePhoto({ memory, isBesideStory }: { memory: Memory; isBesideStory: boolean }) {
  const isAnimated = useIsAnimated(memory);
  const aspect = memory.width && memory.height ? memory.width / memory.height : 1;
  return (
    <div
      className={classNames(
        'mx-auto rounded-print bg-print p-2 shadow-print md:sticky md:top-8',
        isBesideStory ? 'self-start' : 'self-center',
      )}
      style={{ width: `min(100%, calc(${PHOTO_HEIGHT} * ${aspect}))` }}
    >
      <MemoryImage
        memory={memory}
        isEager
        isOriginal={isAnimated === true}
        sizes="(min-width: 1024px) 560px, (min-width: 768px) 55vw, 90vw"
        style={{ aspectRatio: aspect }}
        className="rounded-[2px]"
      />
    </div>
  );
}

interface MemoryDetailsProps extends Pick<
  MemoryDialogProps,
  'memory' | 'onEdit' | 'onLike' | 'onDelete' | 'onClose'
> {
  editButton: RefObject<HTMLButtonElement | null>;
}

function MemoryDetails({ memory, editButton, onEdit, onLike, onDelete, onClose }: MemoryDetailsProps) {
  const pet = useFeaturedPet(memory);
  return (
    <div className="space-y-6">
      <MemoryCaption memory={memory} />
      <Detail name="The Story">{storyOf(memory)}</Detail>
      <Detail name="When">{whenOf(memory)}</Detail>
      {pet && (
        <Detail name="Featured Pet">
          <FeaturedPet pet={pet} />
        </Detail>
      )}
      <div className="flex flex-wrap gap-x-3 gap-y-2 pt-2">
        <Button ref={editButton} variant="secondary" onClick={onEdit}>
          <Pencil aria-hidden className="size-4.5" strokeWidth={1.75} />
          Edit Memory
        </Button>
        <Button variant="secondary" onClick={onLike}>
          <LikeHeart isLiked={memory.isLiked} />
          {memory.isLiked ? 'Loved' : 'Love'}
        </Button>
        <Button variant="quiet" className="px-2!" onClick={onClose}>
          Close
        </Button>
        <Button variant="quiet" className="-ml-2 px-2! text-danger!" onClick={onDelete}>
          <Trash2 aria-hidden className="size-4.5" strokeWidth={1.75} />
          Delete
        </Button>
      </div>
    </div>
  );
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
