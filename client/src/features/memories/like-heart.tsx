import { classNames } from '../../lib/class-names.ts';
import { HeartIcon } from '../../ui/icons.tsx';

interface LikeHeartProps {
  isLiked: boolean;
  /** In the color of the button's text. */
  isOnAccent?: boolean;
}

export function LikeHeart({ isLiked, isOnAccent = false }: LikeHeartProps) {
  return (
    <HeartIcon
      className={classNames(
        'transition-[scale,fill,color] duration-200 ease-gentle',
        isLiked && 'scale-110',
        isLiked && (isOnAccent ? 'fill-current' : 'fill-accent text-accent'),
      )}
    />
  );
}
