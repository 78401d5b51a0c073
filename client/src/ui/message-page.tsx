import type { ReactNode } from 'react';

interface MessagePageProps {
  title: string;
  /** The page replaced a focused element, like a submitted form. */
  takesFocus?: boolean;
  children: ReactNode;
}

export function MessagePage({ title, takesFocus = false, children }: MessagePageProps) {
  return (
    <div className="mx-auto flex max-w-xl flex-col items-start gap-5 px-5 py-12 sm:px-8 sm:py-24">
      <h1
        key={title}
        {...(takesFocus && { ref: takeFocus, tabIndex: -1 })}
        className="text-title wrap-anywhere outline-none sm:text-display"
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
