import type { ReactNode } from 'react';
import { classNames } from '../../lib/class-names.ts';

const PAWS = [
  { x: 24, y: 118, angle: 62 },
  { x: 62, y: 96, angle: 70 },
  { x: 104, y: 106, angle: 78 },
  { x: 146, y: 84, angle: 70 },
];

export function EmptyAlbumIllustration() {
  return (
    <svg viewBox="0 0 300 150" aria-hidden className="w-full max-w-48 sm:max-w-72">
      {PAWS.map(({ x, y, angle }) => (
        <g key={x} transform={`translate(${x} ${y}) rotate(${angle})`} className="fill-edge" opacity={0.55}>
          <ellipse cx="0" cy="3.5" rx="6" ry="5" />
          <circle cx="-8" cy="-3" r="2.8" />
          <circle cx="-3" cy="-8" r="3" />
          <circle cx="3" cy="-8" r="3" />
          <circle cx="8" cy="-3" r="2.8" />
        </g>
      ))}
      <g transform="rotate(5 232 72)">
        <rect
          x="182"
          y="14"
          width="100"
          height="118"
          rx="3"
          fill="#3c2414"
          opacity={0.1}
          transform="translate(2 5)"
        />
        <rect x="182" y="14" width="100" height="118" rx="3" className="fill-print" />
        <rect x="190" y="22" width="84" height="82" rx="1" className="fill-well" />
        <rect
          x="208"
          y="6"
          width="48"
          height="15"
          fill="#dcb878"
          opacity={0.72}
          transform="rotate(-4 232 14)"
        />
      </g>
    </svg>
  );
}

interface EmptyStateProps {
  /** Defaults to an album without memories. */
  title?: string;
  text: string;
  action: ReactNode;
  className?: string;
}

export function EmptyState({ title = 'No memories yet', text, action, className }: EmptyStateProps) {
  return (
    <div
      data-empty-state=""
      className={classNames('flex flex-col items-center gap-6 py-4 text-center sm:py-10', className)}
    >
      <EmptyAlbumIllustration />
      <div>
        <h2 className="text-lead font-medium">{title}</h2>
        <p className="mt-1 text-balance text-muted">{text}</p>
      </div>
      {action}
    </div>
  );
}
