import { X } from 'lucide-react';
import { Toast as RadixToast } from 'radix-ui';
import { useRef } from 'react';
import { classNames } from '../lib/class-names.ts';
import { Button } from './button.tsx';
import { leaveEscapeToDialog } from './escape-to-dialog.ts';
import { IconButton } from './icon-button.tsx';
import { NOTIFICATIONS_ID } from './notification-region.ts';
import { dismissToast, useCurrentToast, type Toast } from './toast-store.ts';
import { useNotificationFocus } from './use-notification-focus.ts';
import { useToastPosition } from './use-toast-position.ts';
import { useToastTime } from './use-toast-time.ts';

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
  const viewport = useRef<HTMLOListElement>(null);
  useToastPosition(toast?.id, viewport);
  return (
    <RadixToast.Provider swipeThreshold={SWIPE_THRESHOLD_PX} swipeDirection="right">
      {toast && <ToastCard key={toast.id} toast={toast} onDismiss={dismiss} />}
      <RadixToast.Viewport
        ref={viewport}
        id={NOTIFICATIONS_ID}
        hotkey={['F8']}
        label="Notifications ({hotkey})"
        // Each notice announces itself. This only tells an open dialog not to hide them from screen readers.
        aria-live="off"
        // The margin around a notice lets clicks through.
        className="pointer-events-none fixed top-0 left-0 z-50 w-full max-w-[420px] p-4 transition-[top,left] duration-200 outline-none"
      />
    </RadixToast.Provider>
  );
}

function ToastCard({ toast, onDismiss }: { toast: Toast; onDismiss: () => void }) {
  const { action } = toast;
  useToastTime(action ? ACTION_DURATION_MS : DURATION_MS, onDismiss);
  return (
    <RadixToast.Root
      type="foreground"
      // Its own clock stands still for good once the mouse has dismissed the notice before.
      duration={Infinity}
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
