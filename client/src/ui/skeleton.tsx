import { classNames } from '../lib/class-names.ts';

/** A quiet shape where something is going to be. Give it the size of what comes. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={classNames('animate-breathe rounded-print bg-well', className)} />;
}
