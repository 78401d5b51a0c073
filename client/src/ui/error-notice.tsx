import type { ReactNode } from 'react';
import { Button } from './button.tsx';

interface ErrorNoticeProps {
  /** What happened. */
  children: ReactNode;
  onRetry: () => void;
  isRetrying?: boolean;
}

/** Stands where something could not be loaded: says what happened and offers to try again. */
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
