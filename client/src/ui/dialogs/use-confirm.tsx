import * as AlertDialog from 'radix-ui/alert-dialog';
import { use, useEffect, useId } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { Button } from '../buttons/button.tsx';
import { ConfirmContext, type ConfirmDialogProps, type Question } from './confirm-provider.tsx';
import { closedByEscape, overlayClasses, sheetClasses } from './dialog.tsx';

/** The returned function resolves to whether it was confirmed, once the dialog has closed and returned the focus. */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const confirm = use(ConfirmContext);
  if (!confirm) throw new Error('useConfirm needs a ConfirmProvider');
  const askerId = useId();
  const { ask, withdraw } = confirm;
  useEffect(() => () => withdraw(askerId), [withdraw, askerId]);
  return (question) => new Promise((answer) => ask(question, { askerId, answer, Dialog: ConfirmDialog }));
}

/** The safe button has the focus. */
function ConfirmDialog({ asked, onConfirm, onCancel, onClosed }: ConfirmDialogProps) {
  return (
    <AlertDialog.Root open={asked.isOpen} onOpenChange={(isOpen) => !isOpen && onCancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={classNames('z-40', overlayClasses)}>
          <AlertDialog.Content
            onCloseAutoFocus={onClosed}
            className={classNames('sm:max-w-md', sheetClasses)}
          >
            <AlertDialog.Title className="text-title">{asked.title}</AlertDialog.Title>
            <AlertDialog.Description className="mt-3 wrap-anywhere text-muted">
              {asked.description}
            </AlertDialog.Description>
            <div className="mt-7 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
              <AlertDialog.Cancel asChild>
                <Button variant="secondary" {...closedByEscape}>
                  Cancel
                </Button>
              </AlertDialog.Cancel>
              <Button
                variant={asked.isDestructive === false ? 'primary' : 'destructive'}
                // Ignore the second click of a double click: it would confirm again while the dialog closes.
                onClick={({ detail }) => detail < 2 && onConfirm()}
                isPending={asked.isPending}
                pendingText={asked.pendingText}
              >
                {asked.confirmText}
              </Button>
            </div>
          </AlertDialog.Content>
        </AlertDialog.Overlay>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
