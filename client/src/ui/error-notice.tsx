import type { ReactNode } from 'react';
import { Button } from './button.tsx';

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
