import { Heart, Pencil, Share2, Trash2 } from 'lucide-react';
import type { Memory } from '#shared/memory';
import { classNames } from '../../../lib/class-names.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useImageDescription } from '../use-image-description.ts';

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
    <IconButton
      aria-haspopup="dialog"
      name={`Edit ${description}`}
      onClick={({ currentTarget }) => onEdit(currentTarget)}
    >
      <Pencil className="size-4.5" />
    </IconButton>
  );
}

interface LikeButtonProps {
  memory: Memory;
  onLike: () => void;
}

export function LikeButton({ memory, onLike }: LikeButtonProps) {
  const description = useImageDescription(memory);
  return (
    <IconButton aria-pressed={memory.isLiked} name={`Love ${description}`} onClick={onLike}>
      <LikeHeart isLiked={memory.isLiked} />
    </IconButton>
  );
}

/** Full of color where somebody loves it. */
export function LikeHeart({ isLiked }: { isLiked: boolean }) {
  return (
    <Heart
      className={classNames(
        'transition-[scale,fill,color] duration-200 ease-settle',
        isLiked && 'scale-110 fill-accent text-accent',
      )}
    />
  );
}
