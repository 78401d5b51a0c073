import { Check } from 'lucide-react';
import { classNames } from '../lib/class-names.ts';

/** In the corner of a photo that can be selected. Decorative: the control sets aria-pressed or aria-selected. */
export function SelectionMark({ isSelected }: { isSelected: boolean }) {
  return (
    <span
      aria-hidden
      className={classNames(
        'absolute top-2.5 right-2.5 grid size-7 place-items-center rounded-full border-2 transition-[background-color,scale] duration-150',
        isSelected
          ? 'scale-105 border-on-accent bg-accent text-on-accent'
          : 'border-print bg-veil opacity-80 group-hover:opacity-100 dark:border-ink',
      )}
    >
      {isSelected && <Check className="size-4 stroke-3" />}
    </span>
  );
}
