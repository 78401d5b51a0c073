import { Link } from 'wouter';
import { paths } from '../lib/paths.ts';

/** The product's name, as the way home. */
export function Wordmark() {
  return (
    <Link
      href={paths.home}
      className="flex min-h-11 items-center gap-2.5 font-display text-body font-semibold tracking-tight whitespace-nowrap sm:text-lead"
    >
      <PawPrintMark />
      Mems Are Forever
    </Link>
  );
}

function PawPrintMark() {
  return (
    <svg aria-hidden viewBox="0 0 28 32" className="h-7 w-auto -rotate-6">
      <rect x="1" y="1" width="26" height="30" rx="2" className="fill-print stroke-edge" strokeWidth="1" />
      <rect x="4" y="4" width="20" height="18" rx="1" className="fill-accent" />
      <g className="fill-on-accent">
        <ellipse cx="14" cy="16.2" rx="3.6" ry="2.9" />
        <circle cx="9" cy="12.6" r="1.6" />
        <circle cx="12.2" cy="9.6" r="1.7" />
        <circle cx="15.8" cy="9.6" r="1.7" />
        <circle cx="19" cy="12.6" r="1.6" />
      </g>
    </svg>
  );
}
