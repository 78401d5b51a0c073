import * as AlertDialog from 'radix-ui/alert-dialog';
import { createContext, use, useEffect, useId, useState, type ReactNode } from 'react';
import { classNames } from '../lib/class-names.ts';
import { Button } from './button.tsx';
import { closedByEscape, overlayClasses, sheetClasses } from './dialog.tsx';
import { returnFocus } from './focus.ts';
import { showError, type ShowErrorOptions } from './show-error.ts';

interface Question {
  title: string;
  description: ReactNode;
  confirmText: string;
  pendingText: string;
  /** The dialog is pending until this resolves, and stays open if it rejects. */
  onConfirm: () => Promise<unknown>;
  errorToast: Readonly<[title: string, fallback?: string, options?: ShowErrorOptions]>;
}

interface Asked extends Question {
  askerId: string;
  answer: (isConfirmed: boolean) => void;
  isOpen: boolean;
  isPending: boolean;
  isConfirmed: boolean;
}

interface Confirm {
  ask: (question: Question, from: Pick<Asked, 'askerId' | 'answer'>) => void;
  withdraw: (askerId: string) => void;
}

const ConfirmContext = createContext<Confirm | null>(null);

/** The returned function resolves to whether it was confirmed, once the dialog has closed and returned the focus. */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const confirm = use(ConfirmContext);
  if (!confirm) throw new Error('useConfirm needs a ConfirmProvider');
  const askerId = useId();
  const { ask, withdraw } = confirm;
  useEffect(() => () => withdraw(askerId), [withdraw, askerId]);
  return (question) => new Promise((answer) => ask(question, { askerId, answer }));
}

/** The safe button has the focus. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  // Kept until the closing animation ends.
  const [asked, setAsked] = useState<Asked | null>(null);
  const [confirm] = useState<Confirm>(() => ({
    ask: (question, from) =>
      setAsked({ ...question, ...from, isOpen: true, isPending: false, isConfirmed: false }),
    withdraw: (askerId) => setAsked((asked) => (asked?.askerId === askerId ? null : asked)),
  }));

  const act = async ({ answer, onConfirm, errorToast }: Asked) => {
    const update = (changes: Partial<Asked>) =>
      setAsked((now) => (now?.answer === answer ? { ...now, ...changes } : now));
    update({ isPending: true });
    try {
      await onConfirm();
      update({ isOpen: false, isConfirmed: true });
    } catch (error) {
      showError(error, ...errorToast);
    } finally {
      update({ isPending: false });
    }
  };
  const cancel = () => setAsked((now) => now && (now.isPending ? now : { ...now, isOpen: false }));
  const finish = (event: Event) => {
    returnFocus(event);
    asked?.answer(asked.isConfirmed);
  };

  return (
    <ConfirmContext value={confirm}>
      {children}
      {asked && (
        <AlertDialog.Root open={asked.isOpen} onOpenChange={(isOpen) => !isOpen && cancel()}>
          <AlertDialog.Portal>
            <AlertDialog.Overlay className={classNames('z-40', overlayClasses)}>
              <AlertDialog.Content
                onCloseAutoFocus={finish}
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
                    variant="destructive"
                    // Ignore the second click of a double click: it would confirm again while the dialog closes.
                    onClick={({ detail }) => detail < 2 && void act(asked)}
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
      )}
    </ConfirmContext>
  );
}
