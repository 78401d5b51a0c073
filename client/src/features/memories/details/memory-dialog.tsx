import { Pencil, Share2, Trash2, WandSparkles } from 'lucide-react';
import { useRef, type ReactNode, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'wouter';
import type { Memory } from '#shared/memory';
import { classNames } from '../../../lib/class-names.ts';
import { caricaturePath } from '../../../lib/paths.ts';
import { Button, buttonClasses } from '../../../ui/button.tsx';
import { Dialog, DialogTitle } from '../../../ui/dialog.tsx';
import { useAppConfig } from '../../app-config/app-config-api.ts';
import { useImageDescription } from '../use-image-description.ts';
import { pressDialogKey, type DialogKeys } from './dialog-keys.ts';
import { PHOTO_SIZES } from './use-fetch-ahead.ts';
import { useSwipe } from './use-swipe.ts';
import { WalkButtons } from './walk-buttons.tsx';
import { FeaturedPet } from './featured-pet.tsx';
import { useIsAnimated } from '../memory-api.ts';
import { MemoryCaption } from './memory-caption.tsx';
import { LikeHeart } from '../grid/memory-card-buttons.tsx';
import type { MemoryEdit } from './memory-changes.ts';
import { MemoryEditForm } from './memory-edit-form.tsx';
import type { MemoryWords } from '../form/memory-form.ts';
import { MemoryLink } from './memory-link.tsx';
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
  onShare: () => void;
  isSharing: boolean;
  onDelete: () => void;
  onClose: () => void;
  /** Null where there is none. */
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
  /** Then it is told to screen readers. */
  isWalkedTo: boolean;
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** One memory, looked at closely, or having what is written about it changed. The photo comes first, whatever is written. */
export function MemoryDialog({ memory, isOpen, onClose, returnFocusTo, edit, ...on }: MemoryDialogProps) {
  const editButton = useRef<HTMLButtonElement>(null);
  const description = useImageDescription(memory);
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
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      className="sm:max-w-5xl"
      isBusy={edit !== null}
      initialFocus={editButton}
      returnFocusTo={returnFocusTo}
      onKeyDown={(event) => !edit && pressDialogKey(event, keys)}
    >
      <p role="status" className="sr-only">
        {on.isWalkedTo && description}
      </p>
      <div className="grid gap-x-10 gap-y-6 md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <PhotoPlace
          isBesideStory={!edit && isStory(memory)}
          onPrevious={edit ? null : on.onPrevious}
          onNext={edit ? null : on.onNext}
        >
          <LargePhoto key={memory.id} memory={memory} />
        </PhotoPlace>
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
              onShare={on.onShare}
              isSharing={on.isSharing}
              onDelete={on.onDelete}
              onClose={onClose}
            />
          )}
        </div>
      </div>
    </Dialog>
  );
}

interface PhotoPlaceProps extends Pick<MemoryDialogProps, 'onPrevious' | 'onNext'> {
  isBesideStory: boolean;
  children: ReactNode;
}

/** The photo, with the way to its neighbours; stays in sight beside a story that scrolls. */
function PhotoPlace({ isBesideStory, onPrevious, onNext, children }: PhotoPlaceProps) {
  const swipe = useSwipe((direction) => (direction === 'left' ? onNext : onPrevious)?.());
  return (
    <div
      {...swipe}
      className={classNames('relative md:sticky md:top-8', isBesideStory ? 'self-start' : 'self-center')}
    >
      {children}
      <WalkButtons onPrevious={onPrevious} onNext={onNext} />
    </div>
  );
}

/** In its own shape, uncut, as large as there is room. */
function LargePhoto({ memory }: { memory: Memory }) {
  const isAnimated = useIsAnimated(memory);
  const aspect = memory.width && memory.height ? memory.width / memory.height : 1;
  return (
    <div
      ref={bringIntoSight}
      className="mx-auto rounded-print bg-print p-2 shadow-print"
      style={{ width: `min(100%, calc(${PHOTO_HEIGHT} * ${aspect}))` }}
    >
      <MemoryImage
        memory={memory}
        isEager
        isOriginal={isAnimated === true}
        sizes={PHOTO_SIZES}
        style={{ aspectRatio: aspect }}
        className="rounded-[2px]"
      />
    </div>
  );
}

/** Whoever has read down a long story sees the next photo first. */
function bringIntoSight(photo: HTMLElement | null): void {
  photo?.scrollIntoView({ block: 'nearest' });
}

interface MemoryDetailsProps extends Pick<
  MemoryDialogProps,
  'memory' | 'onEdit' | 'onLike' | 'onShare' | 'isSharing' | 'onDelete' | 'onClose'
> {
  editButton: RefObject<HTMLButtonElement | null>;
}

function MemoryDetails({ memory, editButton, onEdit, onLike, onDelete, onClose, ...on }: MemoryDetailsProps) {
  const pet = useFeaturedPet(memory);
  const { data: config } = useAppConfig();
  const shareButton = useRef<HTMLButtonElement>(null);
  return (
    <div className="space-y-6">
      <MemoryCaption key={memory.id} memory={memory} />
      <Detail name="The Story">{storyOf(memory)}</Detail>
      <Detail name="When">{whenOf(memory)}</Detail>
      {pet && (
        <Detail name="Featured Pet">
          <FeaturedPet pet={pet} />
        </Detail>
      )}
      <div className="flex flex-wrap gap-x-3 gap-y-2 pt-2">
        <Button
          ref={editButton}
          variant="secondary"
          onClick={onEdit}
          aria-keyshortcuts="E"
          title="Edit Memory (E)"
        >
          <Pencil aria-hidden className="size-4.5" strokeWidth={1.75} />
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
        <Button
          ref={shareButton}
          variant="secondary"
          onClick={on.onShare}
          isPending={on.isSharing}
          pendingText="Sharing..."
        >
          <Share2 aria-hidden className="size-4.5" strokeWidth={1.75} />
          Share
        </Button>
        {memory.petId && config?.caricaturesEnabled !== false && (
          <Link
            href={caricaturePath(memory.id)}
            state={{ isCalled: true }}
            className={buttonClasses('secondary')}
          >
            <WandSparkles aria-hidden className="size-4.5" strokeWidth={1.75} />
            Caricature
          </Link>
        )}
        <Button
          variant="quiet"
          className="px-2!"
          onClick={onClose}
          aria-keyshortcuts="Escape"
          title="Close (Esc)"
        >
          Close
        </Button>
        <Button variant="quiet" className="-ml-2 px-2! text-danger!" onClick={onDelete}>
          <Trash2 aria-hidden className="size-4.5" strokeWidth={1.75} />
          Delete
        </Button>
      </div>
      <MemoryLink memory={memory} shareButton={shareButton} />
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
