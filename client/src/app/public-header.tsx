import { Monitor, Moon, Sun } from 'lucide-react';
import { Link } from 'wouter';
import { useThemeChoice } from '../lib/browser/theme.ts';
import { paths } from '../lib/routing/paths.ts';
import { Segments } from '../ui/forms/radio-group.tsx';

export const themes = [
  { value: 'system' as const, name: 'Follow the system', Icon: Monitor },
  { value: 'light' as const, name: 'Light', Icon: Sun },
  { value: 'dark' as const, name: 'Dark', Icon: Moon },
];

export function PublicHeader() {
  return (
    <header className="mx-auto flex max-w-6xl items-center justify-between gap-x-2 px-5 py-2 sm:px-8 sm:py-4">
      <Wordmark />
      <ThemeSwitch />
    </header>
  );
}

export function ThemeSwitch() {
  const [choice, choose] = useThemeChoice();
  return (
    <Segments
      label="Theme"
      choices={themes}
      value={choice}
      onChoose={choose}
      className="border-hairline"
      choiceClassName="size-11 sm:size-9"
    />
  );
}

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
      <path
        className="fill-on-accent"
        d="M10.4 16.2a3.6 2.9 0 1 0 7.2 0a3.6 2.9 0 1 0-7.2 0M7.4 12.6a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0-3.2 0M10.5 9.6a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0-3.4 0M14.1 9.6a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0-3.4 0M17.4 12.6a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0-3.2 0"
      />
    </svg>
  );
}
