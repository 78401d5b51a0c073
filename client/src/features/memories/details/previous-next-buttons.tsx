import { ChevronLeft, ChevronRight } from 'lucide-react';
import { IconButton, type IconButtonProps } from '../../../ui/icon-button.tsx';

interface PreviousNextButtonsProps extends Pick<IconButtonProps, 'tone' | 'className'> {
  noun: 'memory' | 'photo';
  /** Null where there is none. */
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
}

/** They stay at the ends of the list, so that the focus does. */
export function PreviousNextButtons({ noun, onPrevious, onNext, tone, className }: PreviousNextButtonsProps) {
  if (!onPrevious && !onNext) return null;
  const step = (word: string, shortcut: string, onPress: (() => void) | null) => ({
    name: `${word} ${noun}`,
    'aria-keyshortcuts': shortcut,
    title: `${word} ${noun} (${shortcut === 'ArrowLeft' ? '←' : '→'})`,
    'aria-disabled': !onPress || undefined,
    onClick: () => onPress?.(),
    tone,
  });
  return (
    <div className={className}>
      <IconButton {...step('Previous', 'ArrowLeft', onPrevious)}>
        <ChevronLeft />
      </IconButton>
      <IconButton {...step('Next', 'ArrowRight', onNext)}>
        <ChevronRight />
      </IconButton>
    </div>
  );
}
