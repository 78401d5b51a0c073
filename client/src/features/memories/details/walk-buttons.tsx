import { ChevronLeft, ChevronRight, type LucideIcon } from 'lucide-react';

interface WalkButtonsProps {
  /** Null where there is none. */
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
}

/** On the edges of the photo. They stay at the ends of the list, so that the focus does. */
export function WalkButtons({ onPrevious, onNext }: WalkButtonsProps) {
  if (!onPrevious && !onNext) return null;
  return (
    <div className="pointer-events-none absolute -inset-x-4 inset-y-0 z-10 flex items-center justify-between md:-inset-x-6">
      <WalkButton name="Previous memory" shortcut="ArrowLeft" Icon={ChevronLeft} onPress={onPrevious} />
      <WalkButton name="Next memory" shortcut="ArrowRight" Icon={ChevronRight} onPress={onNext} />
    </div>
  );
}

interface WalkButtonProps {
  name: string;
  shortcut: 'ArrowLeft' | 'ArrowRight';
  Icon: LucideIcon;
  onPress: (() => void) | null;
}

function WalkButton({ name, shortcut, Icon, onPress }: WalkButtonProps) {
  return (
    <button
      type="button"
      aria-label={name}
      aria-keyshortcuts={shortcut}
      aria-disabled={!onPress || undefined}
      title={`${name} (${shortcut === 'ArrowLeft' ? '←' : '→'})`}
      onClick={() => onPress?.()}
      className="pointer-events-auto grid size-11 place-items-center rounded-full bg-sheet text-ink shadow-print transition-opacity duration-150 hover:shadow-lifted aria-disabled:cursor-default aria-disabled:opacity-0 aria-disabled:focus-visible:opacity-60"
    >
      <Icon aria-hidden className="size-5" strokeWidth={1.75} />
    </button>
  );
}
