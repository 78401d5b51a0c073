import { X } from 'lucide-react';
import * as RadixDialog from 'radix-ui/dialog';
import { useRef, type KeyboardEventHandler, type ReactNode } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { returnFocus } from '../focus.ts';

export const overlayClasses =
  'fixed inset-0 flex justify-center overflow-y-auto bg-veil data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in sm:p-6';
/** At the bottom edge of a phone, in the middle of a wide screen. */
export const sheetClasses =
  'mt-auto h-fit w-full rounded-t-sheet bg-sheet p-5 pb-[max(1.25rem,env(safe-area-inset-bottom))] shadow-lifted focus:outline-none data-[state=closed]:animate-sink data-[state=open]:animate-rise sm:mb-auto sm:rounded-sheet sm:p-8';

const noAnimation = 'data-[state=closed]:animate-none data-[state=open]:animate-none';

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** Omitted if the children contain a DialogTitle. */
  title?: string;
  description?: string;
  className?: string;
  /** Ignores clicks outside, which would lose unsaved input. */
  isBusy?: boolean;
  /** Focuses the dialog, so that its top is in view; by default its first focusable element. */
  focusesItself?: boolean;
  /** The children contain a DialogClose; by default there is one in the corner. */
  hasOwnClose?: boolean;
  /** Above a question of `useConfirm`. */
  isOnTop?: boolean;
  /** A view transition animates it: its own animation is off. */
  hasViewTransition?: boolean;
  onKeyDown?: KeyboardEventHandler<HTMLElement>;
  children: ReactNode;
}

export function Dialog({
  isOpen,
  onClose,
  title,
  description,
  className,
  isBusy = false,
  focusesItself = false,
  hasOwnClose = false,
  isOnTop = false,
  hasViewTransition = false,
  onKeyDown,
  children,
}: DialogProps) {
  /** Click count of the last click: 2 for a double click. */
  const clicks = useRef(1);
  const takeFocus = (event: Event) => {
    if (!focusesItself) return;
    event.preventDefault();
    (event.currentTarget as HTMLElement).focus({ preventScroll: true });
  };
  return (
    <RadixDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay
          onClickCapture={({ detail }) => void (clicks.current = detail)}
          className={classNames(isOnTop ? 'z-50' : 'z-30', overlayClasses, hasViewTransition && noAnimation)}
        >
          <RadixDialog.Content
            {...(!description && { 'aria-describedby': undefined })}
            onOpenAutoFocus={takeFocus}
            onCloseAutoFocus={returnFocus}
            onKeyDown={onKeyDown}
            // Ignore the second click of a double click on the trigger; it would close the dialog.
            onInteractOutside={(event) => (isBusy || clicks.current > 1) && event.preventDefault()}
            className={classNames('relative', sheetClasses, hasViewTransition && noAnimation, className)}
          >
            {title && <DialogTitle className="pr-12 text-title">{title}</DialogTitle>}
            {description && (
              <RadixDialog.Description className="mt-1 text-muted">{description}</RadixDialog.Description>
            )}
            {children}
            {!hasOwnClose && (
              <DialogClose
                className={classNames(
                  'absolute top-3 right-3 sm:top-6 sm:right-6',
                  !title && 'max-md:bg-sheet max-md:shadow-print',
                )}
              />
            )}
          </RadixDialog.Content>
        </RadixDialog.Overlay>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/** Marks the button that does the same as Escape. */
export const closedByEscape = { 'data-escape': '' };

interface DialogCloseProps {
  isNamed?: boolean;
  className?: string;
}

export function DialogClose({ isNamed = false, className }: DialogCloseProps) {
  return (
    <RadixDialog.Close
      {...closedByEscape}
      aria-label="Close"
      className={classNames(
        'flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-full text-muted hover:bg-well hover:text-ink',
        isNamed && 'pr-3 pl-4 font-semibold',
        className,
      )}
    >
      {isNamed && 'Close'}
      <X />
    </RadixDialog.Close>
  );
}

export function DialogTitle({ className, children }: { className?: string; children: string }) {
  return (
    <RadixDialog.Title dir="auto" className={className}>
      {children}
    </RadixDialog.Title>
  );
}
