import { Heart, Pencil, Share2, Trash2 } from 'lucide-react';
import type { Memory } from '#shared/memory';
import { classNames } from '../../../lib/class-names.ts';
import { Menu } from '../../../ui/menu.tsx';
import { useImageDescription } from '../use-image-description.ts';

const round =
  'grid size-11 shrink-0 place-items-center rounded-full text-muted transition-colors duration-150 hover:bg-well hover:text-ink';

interface MemoryMenuProps {
  memory: Memory;
  onShare: () => void;
  onDelete: () => void;
}

export function MemoryMenu({ memory, onShare, onDelete }: MemoryMenuProps) {
  const description = useImageDescription(memory);
  return (
    <Menu
      label={`Share or delete ${description}`}
      className={round}
      items={[
        { name: 'Share', Icon: Share2, onChoose: onShare },
        { name: 'Delete', Icon: Trash2, isDanger: true, onChoose: onDelete },
      ]}
    />
  );
}

interface EditButtonProps {
  memory: Memory;
  onEdit: (opener: HTMLElement) => void;
}

export function EditButton({ memory, onEdit }: EditButtonProps) {
  const description = useImageDescription(memory);
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-label={`Edit ${description}`}
      onClick={({ currentTarget }) => onEdit(currentTarget)}
      className={round}
    >
      <Pencil aria-hidden className="size-4.5" strokeWidth={1.75} />
    </button>
  );
}

interface LikeButtonProps {
  memory: Memory;
  onLike: () => void;
}

export function LikeButton({ memory, onLike }: LikeButtonProps) {
  const description = useImageDescription(memory);
  return (
    <button
      type="button"
      aria-pressed={memory.isLiked}
      aria-label={`Love ${description}`}
      onClick={onLike}
      className={round}
    >
      <LikeHeart isLiked={memory.isLiked} />
    </button>
  );
}

/** Full of color where somebody loves it. */
export function LikeHeart({ isLiked }: { isLiked: boolean }) {
  return (
    <Heart
      aria-hidden
      strokeWidth={1.75}
      className={classNames(
        'size-5 transition-[scale,fill,color] duration-200 ease-settle',
        isLiked && 'scale-110 fill-accent text-accent',
      )}
    />
  );
}
