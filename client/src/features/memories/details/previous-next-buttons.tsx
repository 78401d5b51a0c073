import { ChevronLeft, ChevronRight, type LucideIcon } from 'lucide-react';

interface PreviousNextButtonsProps {
  /** Null where there is none. */
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
}

/** They stay at the ends of the list, so that the focus does. */
export function PreviousNextButtons({ onPrevious, onNext }: PreviousNextButtonsProps) {
  if (!onPrevious && !onNext) return null;
  return (
    <div className="flex gap-1">
      <StepButton name="Previous memory" shortcut="ArrowLeft" Icon={ChevronLeft} onPress={onPrevious} />
      <StepButton name="Next memory" shortcut="ArrowRight" Icon={ChevronRight} onPress={onNext} />
    </div>
  );
}

interface StepButtonProps {
  name: string;
  shortcut: 'ArrowLeft' | 'ArrowRight';
  Icon: LucideIcon;
  onPress: (() => void) | null;
}

function StepButton({ name, shortcut, Icon, onPress }: StepButtonProps) {
  return (
    <button
      type="button"
      aria-label={name}
      aria-keyshortcuts={shortcut}
      aria-disabled={!onPress || undefined}
      title={`${name} (${shortcut === 'ArrowLeft' ? '←' : '→'})`}
      onClick={() => onPress?.()}
      className="grid size-11 place-items-center rounded-full text-ink transition-colors duration-150 not-aria-disabled:hover:bg-well aria-disabled:cursor-default aria-disabled:text-edge"
    >
      <Icon aria-hidden className="size-6" strokeWidth={1.75} />
    </button>
  );
}
