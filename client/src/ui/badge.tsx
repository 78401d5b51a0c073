import type { ReactNode } from 'react';
import { classNames } from '../lib/class-names.ts';

const tones = {
  accent: 'border-accent text-accent',
  sage: 'border-sage text-sage',
  danger: 'border-danger text-danger',
  plain: 'border-hairline text-muted',
};

export function Badge({ tone = 'plain', children }: { tone?: keyof typeof tones; children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1.5 rounded-full border bg-sheet px-2.5 py-0.5 text-small font-semibold whitespace-nowrap tabular-nums',
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}
