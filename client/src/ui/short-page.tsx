import type { ReactNode } from 'react';

interface ShortPageProps {
  title: string;
  /** It took the place of something that had the focus, like a form that was sent. */
  takesFocus?: boolean;
  children: ReactNode;
}

/** A page that says one thing. */
export function ShortPage({ title, takesFocus = false, children }: ShortPageProps) {
  return (
    <div className="mx-auto flex max-w-xl flex-col items-start gap-5 px-5 py-12 sm:px-8 sm:py-24">
      <h1
        key={title}
        {...(takesFocus && { ref: takeFocus, tabIndex: -1 })}
        className="text-title outline-none sm:text-display"
      >
        {title}
      </h1>
      {children}
    </div>
  );
}

function takeFocus(heading: HTMLElement | null): void {
  heading?.focus();
}
