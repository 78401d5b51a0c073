import { X } from 'lucide-react';
import * as RadixToast from 'radix-ui/toast';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { Button } from '../buttons/button.tsx';
import { IconButton } from '../buttons/icon-button.tsx';
import { isNotification, NOTIFICATIONS_ID } from '../focus.ts';
import { avoidObstacles } from './toast-position.ts';
import { currentToast, dismissToast, toastDurationMs, useCurrentToast, type Toast } from './toast-store.ts';

const SWIPE_THRESHOLD_PX = 50;

const edges: Record<Toast['variant'], string> = {
  plain: 'border-l-edge',
  success: 'border-l-sage',
  destructive: 'border-l-danger',
};

/** Shows the current toast, which sinks once it is dismissed. F8 focuses it. */
export function Toaster() {
  const current = useCurrentToast();
  const [toast, setToast] = useState(current);
  if (current && current !== toast) setToast(current);
  const dismiss = useNotificationFocus(() => current && dismissToast(current.id));
  return (
    // Each toast announces itself. aria-live only keeps an open dialog from hiding them from screen readers.
    <div id={NOTIFICATIONS_ID} aria-live="off">
      {/* Unmounted in between: Radix never resumes its timer after a toast was dismissed with the mouse over it. */}
      {toast && (
        <RadixToast.Provider key={toast.id} swipeThreshold={SWIPE_THRESHOLD_PX} swipeDirection="right">
          <ToastCard
            toast={toast}
            isOpen={current !== null}
            onDismiss={dismiss}
            onSunk={() => setToast((shown) => (shown === toast && currentToast() !== toast ? null : shown))}
          />
          <RadixToast.Viewport
            hotkey={['F8']}
            label="Notifications ({hotkey})"
            // The margin around a toast lets clicks through.
            className="pointer-events-none fixed top-0 left-0 z-50 w-full p-4 outline-none empty:hidden"
          />
        </RadixToast.Provider>
      )}
    </div>
  );
}

interface ToastCardProps {
  toast: Toast;
  isOpen: boolean;
  onDismiss: () => void;
  /** After its last animation. */
  onSunk: () => void;
}

function ToastCard({ toast, isOpen, onDismiss, onSunk }: ToastCardProps) {
  const { action } = toast;
  const [isPaused, setPaused] = useState(() => !document.hasFocus());
  useEffect(() => {
    const resume = () => setPaused(false);
    window.addEventListener('focus', resume);
    return () => window.removeEventListener('focus', resume);
  }, []);
  return (
    <RadixToast.Root
      ref={avoidObstacles}
      open={isOpen}
      type="foreground"
      // A pause restarts the duration.
      duration={isPaused ? Infinity : toastDurationMs(toast)}
      onPause={() => setPaused(true)}
      onResume={() => setPaused(false)}
      onOpenChange={(open) => !open && onDismiss()}
      onEscapeKeyDown={forwardEscapeToDialog}
      className={classNames(
        'relative rounded-field border border-l-4 border-hairline bg-sheet py-3.5 pr-14 pl-4 shadow-lifted',
        'data-[state=open]:pointer-events-auto data-[state=open]:animate-rise data-[state=open]:[animation-duration:180ms]',
        'data-[state=closed]:animate-sink data-[swipe=end]:animate-fade-out',
        'data-[swipe=cancel]:translate-x-0 data-[swipe=end]:translate-x-(--radix-toast-swipe-end-x)',
        'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)',
        // F8 focuses the list; the outline is shown on the toast in it.
        'outline-offset-2 outline-ink in-focus-visible:outline-2',
        action && 'flex items-center justify-between gap-3',
        edges[toast.variant],
      )}
    >
      <OnUnmount run={onSunk} />
      <div className="min-w-0">
        <RadixToast.Title
          className={classNames('font-semibold', toast.variant === 'destructive' && 'text-danger')}
        >
          {toast.title}
        </RadixToast.Title>
        {toast.description && (
          <RadixToast.Description className="text-small text-ink">{toast.description}</RadixToast.Description>
        )}
      </div>
      {action && (
        <RadixToast.Action asChild altText={`${action.name}: press F8 to reach it`}>
          <Button variant="quiet" onClick={action.onPress} className="-my-2 shrink-0 px-3">
            {action.name}
          </Button>
        </RadixToast.Action>
      )}
      <RadixToast.Close asChild>
        <IconButton name="Dismiss" className="absolute top-1.5 right-1.5">
          <X className="size-4" />
        </IconButton>
      </RadixToast.Close>
    </RadixToast.Root>
  );
}

/** Radix keeps a closed toast mounted until its animation has ended. */
function OnUnmount({ run }: { run: () => void }) {
  const onUnmount = useEffectEvent(run);
  useLayoutEffect(() => () => onUnmount(), []);
  return null;
}

/** F8 focuses a toast even from inside a modal dialog; Escape then dismisses only the toast. @returns the dismissal */
function useNotificationFocus(dismiss: () => void): () => void {
  const previousFocus = useRef<HTMLElement>(null);
  const dismissAndReturnFocus = () => {
    if (isNotification(document.activeElement)) previousFocus.current?.focus();
    // There was no previous focus, or its element was removed. A focused list would pause every later toast.
    if (document.activeElement instanceof HTMLElement && isNotification(document.activeElement))
      document.activeElement.blur();
    dismiss();
  };
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isNotification(document.activeElement)) return;
    event.stopPropagation();
    dismissAndReturnFocus();
  });

  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    // A modal dialog's focus trap listens on the document: focus events of toasts are stopped before it.
    const bypassFocusTrap = (event: FocusEvent) => {
      const { type, target, relatedTarget } = event;
      if (!isNotification(target) && !isNotification(relatedTarget)) return;
      event.stopPropagation();
      const isEntering = type === 'focusin' && isNotification(target) && !isNotification(relatedTarget);
      if (isEntering && relatedTarget instanceof HTMLElement) previousFocus.current = relatedTarget;
    };
    for (const type of ['focusin', 'focusout'] as const)
      document.documentElement.addEventListener(type, bypassFocusTrap, { signal });
    // On the window: runs before a dialog's listener on the document.
    window.addEventListener('keydown', (event) => onKeyDown(event), { capture: true, signal });
    return () => listeners.abort();
  }, []);
  return dismissAndReturnFocus;
}

/** Radix gives Escape to the layer opened last, which may be a toast. An open dialog closes instead of the toast. */
function forwardEscapeToDialog(event: KeyboardEvent): void {
  const buttons = document.querySelectorAll<HTMLElement>('[role$="dialog"][data-state="open"] [data-escape]');
  const topButton = [...buttons].at(-1);
  if (!topButton) return;
  event.preventDefault();
  topButton.click();
}
