import type { ReactNode } from 'react';
import { Button } from './buttons/button.tsx';
import { CHECK_CONNECTION } from './toasts/show-error.ts';

interface ErrorNoticeProps {
  children: ReactNode;
  onRetry: () => void;
  isRetrying?: boolean;
}

export function ErrorNotice({ children, onRetry, isRetrying = false }: ErrorNoticeProps) {
  return (
    <div role="alert" className="flex flex-col items-start gap-4 border-l-2 border-danger py-1 pl-5">
      <p>{children}</p>
      <Button variant="secondary" onClick={onRetry} isPending={isRetrying} pendingText="Trying again...">
        Try again
      </Button>
    </div>
  );
}

interface LoadErrorProps {
  /** Like `Your pets`. */
  what: string;
  /** People may fear for what they made. */
  isSafe?: boolean;
  onRetry: () => unknown;
  isRetrying?: boolean;
}

export function LoadError({ what, isSafe = false, onRetry, isRetrying = false }: LoadErrorProps) {
  return (
    <ErrorNotice onRetry={() => void onRetry()} isRetrying={isRetrying}>
      {what} could not be loaded.{' '}
      {isSafe ? 'They are safe; please check your connection and try again.' : CHECK_CONNECTION}
    </ErrorNotice>
  );
}
