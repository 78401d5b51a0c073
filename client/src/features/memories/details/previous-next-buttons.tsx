import { ChevronLeft, ChevronRight } from 'lucide-react';
import { IconButton, type IconButtonProps } from '../../../ui/buttons/icon-button.tsx';

interface PreviousNextButtonsProps extends Pick<IconButtonProps, 'tone' | 'className'> {
  noun: 'memory' | 'photo';
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
}

/** Disabled buttons stay focusable, so that the focus is not lost at the ends of the list. */
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
