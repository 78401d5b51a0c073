import { AlertDialog } from 'radix-ui';
import type { ReactNode, RefObject } from 'react';
import { Button } from './button.tsx';
import { NoticesWithinReach } from './dialog.tsx';
import { closedByEscape } from './escape-to-dialog.ts';

interface ConfirmDialogProps {
  isOpen: boolean;
  /** Asks. */
  title: string;
  /** What will be gone, and what stays. */
  description: ReactNode;
  confirmText: string;
  pendingText: string;
  isPending: boolean;
  onConfirm: () => void;
  onCancel: () => void;
  /** Where the focus goes after closing: what asked may be gone by then. */
  returnFocusTo: RefObject<HTMLElement | null>;
}

/** A question before something is taken away for good. Answered by its buttons alone, the safe one first. */
export function ConfirmDialog({
  isOpen,
  title,
  description,
  confirmText,
  pendingText,
  isPending,
  onConfirm,
  onCancel,
  returnFocusTo,
}: ConfirmDialogProps) {
  const returnFocus = (event: Event) => {
    event.preventDefault();
    returnFocusTo.current?.focus();
  };
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => !open && !isPending && onCancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 flex justify-center overflow-y-auto bg-veil data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in sm:p-6">
          <AlertDialog.Content
            onCloseAutoFocus={returnFocus}
            className="mt-auto h-fit w-full rounded-t-sheet bg-sheet p-5 pb-[max(1.25rem,env(safe-area-inset-bottom))] shadow-lifted focus:outline-none data-[state=closed]:animate-sink data-[state=open]:animate-rise sm:mb-auto sm:max-w-md sm:rounded-sheet sm:p-8"
          >
            <NoticesWithinReach />
            <AlertDialog.Title className="text-title">{title}</AlertDialog.Title>
            <AlertDialog.Description className="mt-3 wrap-anywhere text-muted">
              {description}
            </AlertDialog.Description>
            <div className="mt-7 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
              <AlertDialog.Cancel asChild>
                <Button variant="secondary" {...closedByEscape}>
                  Cancel
                </Button>
              </AlertDialog.Cancel>
              <Button
                variant="destructive"
                // The second click of a double click would confirm again, while the dialog closes.
                onClick={({ detail }) => detail < 2 && onConfirm()}
                isPending={isPending}
                pendingText={pendingText}
              >
                {confirmText}
              </Button>
            </div>
          </AlertDialog.Content>
        </AlertDialog.Overlay>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
