import { createContext, useState, type ComponentType, type ReactNode } from 'react';
import { returnFocus } from '../focus.ts';
import { showError, type ShowErrorOptions } from '../toasts/show-error.ts';

export interface Question {
  title: string;
  description: ReactNode;
  confirmText: string;
  pendingText: string;
  /** Default: true. */
  isDestructive?: boolean;
  /** The dialog is pending until this resolves, and stays open if it rejects. */
  onConfirm: () => Promise<unknown>;
  errorToast: Readonly<[title: string, fallback?: string, options?: ShowErrorOptions]>;
}

interface Asked extends Question {
  askerId: string;
  answer: (isConfirmed: boolean) => void;
  /** From `useConfirm`, so that only the pages that ask load it. */
  Dialog: ComponentType<ConfirmDialogProps>;
  isOpen: boolean;
  isPending: boolean;
  isConfirmed: boolean;
}

export interface ConfirmDialogProps {
  asked: Asked;
  onConfirm: () => void;
  onCancel: () => void;
  /** Must return the focus. */
  onClosed: (event: Event) => void;
}

interface Confirm {
  ask: (question: Question, from: Pick<Asked, 'askerId' | 'answer' | 'Dialog'>) => void;
  withdraw: (askerId: string) => void;
}

export const ConfirmContext = createContext<Confirm | null>(null);

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
        <asked.Dialog asked={asked} onConfirm={() => void act(asked)} onCancel={cancel} onClosed={finish} />
      )}
    </ConfirmContext>
  );
}
