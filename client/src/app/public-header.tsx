import { ThemeSwitch } from '../ui/theme-switch.tsx';
import { Wordmark } from '../ui/wordmark.tsx';

/** Above the pages that anyone may see. */
export function PublicHeader() {
  return (
    <header className="mx-auto flex max-w-6xl items-center justify-between gap-x-2 px-5 py-2 sm:px-8 sm:py-4">
      <Wordmark />
      <ThemeSwitch />
    </header>
  );
}
