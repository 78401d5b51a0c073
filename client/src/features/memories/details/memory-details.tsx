import { Pencil } from 'lucide-react';
import { useEffect, useState, type ReactNode, type Ref } from 'react';
import { Link } from 'wouter';
import type { Memory } from '#shared/album/memory';
import { classNames } from '../../../lib/class-names.ts';
import { useHasDraft } from '../../drafts/form-drafts.tsx';
import { MemoryMenu } from '../memory-menu.tsx';
import { hasLongCaption, NO_STORY, whenText } from '../memory-text.ts';
import { truncateText, memoryTitle } from '../../../lib/memory-title.ts';
import { TagLinks } from '../tag-links.tsx';
import { petGalleryPath } from '../../../lib/routing/paths.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { DialogTitle } from '../../../ui/dialogs/dialog.tsx';
import { PetPhotoAvatar } from '../pet-photo-avatar.tsx';
import { ShareLink } from '../../shares/share-link.tsx';
import { usePets } from '../../pets/pet-api.ts';
import { useMemoryShare, useUnshareMemory } from '../../shares/share-api.ts';
import { LikeHeart } from '../like-heart.tsx';
import type { MemoryDialogProps } from './use-memory-dialog.ts';

/** Longer captions are collapsed, so that the details below stay in view. */
const MAX_COLLAPSED_LENGTH = 240;
const MAX_COLLAPSED_LINES = 8;

export const textArea = 'min-w-0 px-5 pt-5 pb-6 sm:px-6 md:col-start-2 md:pt-2 md:pr-7 md:pl-1';
const actionBar =
  'sticky bottom-0 z-10 mt-auto bg-sheet px-5 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:rounded-b-sheet sm:px-6 md:static md:col-start-2 md:mt-0 md:self-start md:pt-1 md:pr-7 md:pb-7 md:pl-1 max-md:before:pointer-events-none max-md:before:absolute max-md:before:inset-x-0 max-md:before:bottom-full max-md:before:h-6 max-md:before:bg-linear-to-t max-md:before:from-sheet max-md:before:to-transparent';

interface MemoryDetailsProps {
  dialog: MemoryDialogProps;
  editButton: Ref<HTMLButtonElement>;
}

export function MemoryDetails({ dialog, editButton }: MemoryDetailsProps) {
  const { memory, draftKey, onEdit, onLike, onLeave } = dialog;
  const hasDraft = useHasDraft(draftKey);
  return (
    <>
      <div className={classNames(textArea, 'space-y-5')}>
        <Caption key={memory.id} memory={memory} />
        <Detail name="The Story">
          {memory.tags.length > 0 ? (
            <TagLinks tags={memory.tags} separator=" • " onFollow={onLeave} />
          ) : (
            NO_STORY
          )}
        </Detail>
        <Detail name="When">{whenText(memory)}</Detail>
        <FeaturedPet memory={memory} onFollow={onLeave} />
        <MemoryLink memory={memory} />
      </div>
      <div className={actionBar}>
        {hasDraft && <p className="pb-2 text-small text-muted">You have unsaved changes.</p>}
        <div className="flex items-center gap-2">
          <Button
            className="flex-1 px-3.5"
            onClick={onLike}
            aria-keyshortcuts="L"
            title={`${memory.isLiked ? 'Loved' : 'Love'} (L)`}
          >
            <LikeHeart isLiked={memory.isLiked} isOnAccent />
            {memory.isLiked ? 'Loved' : 'Love'}
          </Button>
          <Button
            ref={editButton}
            variant="secondary"
            onClick={onEdit}
            aria-keyshortcuts="E"
            title="Edit Memory (E)"
            className="px-3.5"
          >
            <Pencil className="size-4.5" />
            Edit Memory
          </Button>
          <MemoryMenu
            isFocusFallback
            label="More actions"
            tone="outlined"
            memory={memory}
            onShare={dialog.onShare}
            onDelete={dialog.onDelete}
          />
        </div>
      </div>
    </>
  );
}

function Caption({ memory }: { memory: Memory }) {
  const [isExpanded, setExpanded] = useState(false);
  if (!hasLongCaption(memory))
    return <DialogTitle className="text-title wrap-anywhere">{memoryTitle(memory)}</DialogTitle>;
  const { caption } = memory;
  const isLong = caption.length > MAX_COLLAPSED_LENGTH || caption.split('\n').length > MAX_COLLAPSED_LINES;
  return (
    <div>
      <DialogTitle className="sr-only">{memoryTitle(memory)}</DialogTitle>
      <p dir="auto" className="font-display text-lead wrap-anywhere whitespace-pre-line">
        {isLong && !isExpanded ? truncateText(caption, MAX_COLLAPSED_LENGTH) : caption}
      </p>
      {isLong && (
        <Button
          variant="quiet"
          className="px-0"
          aria-expanded={isExpanded}
          onClick={() => setExpanded(!isExpanded)}
        >
          {isExpanded ? 'Show less' : 'Read more'}
        </Button>
      )}
    </div>
  );
}

function FeaturedPet({ memory: { petId }, onFollow }: { memory: Memory; onFollow: () => void }) {
  const { data: pets, refetch } = usePets();
  const pet = pets?.find(({ id }) => id === petId);
  // The pet may be newer than the loaded list.
  const isMissing = petId !== null && pets !== undefined && !pet;
  useEffect(() => {
    if (isMissing) void refetch();
  }, [isMissing, petId, refetch]);
  if (!pet) return null;
  return (
    <Detail name="Featured Pet">
      <Link
        href={petGalleryPath(pet.id)}
        onClick={onFollow}
        className="group flex min-h-11 w-fit max-w-full items-center gap-3"
      >
        <PetPhotoAvatar pet={pet} sizes="40px" isDecoration className="size-10 shrink-0 rounded-full" />
        <span className="line-clamp-3 min-w-0 wrap-anywhere underline-offset-4 group-hover:text-accent group-hover:underline">
          <bdi>{pet.name}</bdi>
          {pet.species !== 'other' && ` the ${pet.species}`}
        </span>
      </Link>
    </Detail>
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

function MemoryLink({ memory }: { memory: Memory }) {
  const { data: share } = useMemoryShare(memory.id);
  const { mutateAsync: unshare } = useUnshareMemory();
  return <ShareLink url={share?.url ?? null} kind="photo" onStop={() => unshare(memory.id)} />;
}
