import type { ReactNode, SubmitEventHandler } from 'react';
import { Button } from './button.tsx';

interface DialogFormProps {
  action: string;
  pendingText: string;
  isPending: boolean;
  isDestructive?: boolean;
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  onCancel: () => void;
  children: ReactNode;
}

/** The content of a dialog: fields above the buttons. */
export function DialogForm({
  action,
  pendingText,
  isPending,
  isDestructive = false,
  onSubmit,
  onCancel,
  children,
}: DialogFormProps) {
  return (
    <form onSubmit={onSubmit} noValidate className="mt-3 space-y-5">
      {children}
      <div className="flex flex-col-reverse gap-3 pt-2 sm:flex-row sm:justify-end">
        <Button variant="secondary" onClick={() => !isPending && onCancel()}>
          Cancel
        </Button>
        <Button
          type="submit"
          variant={isDestructive ? 'destructive' : 'primary'}
          isPending={isPending}
          pendingText={pendingText}
        >
          {action}
        </Button>
      </div>
    </form>
  );
}
