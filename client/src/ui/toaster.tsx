import { X } from 'lucide-react';
import { Toast as RadixToast } from 'radix-ui';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { classNames } from '../lib/class-names.ts';
import { Button } from './button.tsx';
import { isNotification, NOTIFICATIONS_ID } from './focus.ts';
import { IconButton } from './icon-button.tsx';
import { avoidObstacles } from './toast-position.ts';
import { dismissToast, useCurrentToast, type Toast } from './toast-store.ts';

const DURATION_MS = 5000;
/** Of one that offers an action. */
const ACTION_DURATION_MS = 10_000;
const SWIPE_THRESHOLD_PX = 50;

const edges: Record<Toast['variant'], string> = {
  plain: 'border-l-edge',
  success: 'border-l-sage',
  destructive: 'border-l-danger',
};

/** Where notices appear, one at a time. F8 goes there. */
export function Toaster() {
  const toast = useCurrentToast();
  const dismiss = useNotificationFocus(() => toast && dismissToast(toast.id));
  return (
    // Each notice announces itself. aria-live only tells an open dialog not to hide them from screen readers.
    <div id={NOTIFICATIONS_ID} aria-live="off">
      {/* Unmounted in between: its clock stands still for good once the mouse has dismissed a notice. */}
      {toast && (
        <RadixToast.Provider swipeThreshold={SWIPE_THRESHOLD_PX} swipeDirection="right">
          <ToastCard key={toast.id} toast={toast} onDismiss={dismiss} />
          <RadixToast.Viewport
            hotkey={['F8']}
            label="Notifications ({hotkey})"
            // The margin around a notice lets clicks through.
            className="pointer-events-none fixed top-0 left-0 z-50 w-full max-w-[420px] p-4 transition-[top,left] duration-200 outline-none empty:hidden"
          />
        </RadixToast.Provider>
      )}
    </div>
  );
}

function ToastCard({ toast, onDismiss }: { toast: Toast; onDismiss: () => void }) {
  const { action } = toast;
  const [isHeld, setHeld] = useState(() => !document.hasFocus());
  useEffect(() => {
    const release = () => setHeld(false);
    window.addEventListener('focus', release);
    return () => window.removeEventListener('focus', release);
  }, []);
  return (
    <RadixToast.Root
      ref={avoidObstacles}
      type="foreground"
      // After a pause it has its whole time again, not what was left of it.
      duration={isHeld ? Infinity : action ? ACTION_DURATION_MS : DURATION_MS}
      onPause={() => setHeld(true)}
      onResume={() => setHeld(false)}
      onOpenChange={(open) => !open && onDismiss()}
      onEscapeKeyDown={leaveEscapeToDialog}
      className={classNames(
        'pointer-events-auto relative rounded-field border border-l-4 border-hairline bg-sheet py-3.5 pr-14 pl-4 shadow-lifted',
        'data-[state=open]:animate-rise data-[swipe=cancel]:translate-x-0 data-[swipe=end]:animate-fade-out',
        'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)',
        // F8 goes to the list; what is seen to have the focus is the notice in it.
        'outline-offset-2 outline-ink in-focus-visible:outline-2',
        action && 'flex items-center justify-between gap-3',
        edges[toast.variant],
      )}
    >
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

/**
 * The way to the notices and back: F8 leads out of a modal dialog, too. While the focus is there, Escape takes the
 * notice away and nothing else; and with the notice the focus goes back to where it came from.
 * @returns what takes the notice away so
 */
function useNotificationFocus(dismiss: () => void): () => void {
  const cameFrom = useRef<HTMLElement>(null);
  const leave = () => {
    if (isNotification(document.activeElement)) cameFrom.current?.focus();
    // It came from nowhere, or from what has gone: left here, it would hold every notice to come.
    if (document.activeElement instanceof HTMLElement && isNotification(document.activeElement))
      document.activeElement.blur();
    dismiss();
  };
  const pressKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isNotification(document.activeElement)) return;
    event.stopPropagation();
    leave();
  });

  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    // A modal dialog's focus trap listens on the document: what concerns notices stops before.
    const keepFromTrap = (event: FocusEvent) => {
      const { type, target, relatedTarget } = event;
      if (!isNotification(target) && !isNotification(relatedTarget)) return;
      event.stopPropagation();
      const isArrival = type === 'focusin' && isNotification(target) && !isNotification(relatedTarget);
      if (isArrival && relatedTarget instanceof HTMLElement) cameFrom.current = relatedTarget;
    };
    for (const type of ['focusin', 'focusout'] as const)
      document.documentElement.addEventListener(type, keepFromTrap, { signal });
    // The window's turn is before the document's, where a dialog listens.
    window.addEventListener('keydown', (event) => pressKey(event), { capture: true, signal });
    return () => listening.abort();
  }, []);
  return leave;
}

/**
 * Escape goes to what was opened last, and that may be a notice. It is meant for the dialog on top all the same: the
 * notice stays, and leaves it to the dialog. Without a dialog it takes the notice away.
 */
function leaveEscapeToDialog(event: KeyboardEvent): void {
  const buttons = document.querySelectorAll<HTMLElement>('[role$="dialog"][data-state="open"] [data-escape]');
  const onTop = [...buttons].at(-1);
  if (!onTop) return;
  event.preventDefault();
  onTop.click();
}
