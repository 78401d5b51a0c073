import { X, type LucideIcon } from 'lucide-react';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { Tooltip } from '../../../ui/tooltip.tsx';

export interface BookViewProps {
  title: string;
  memoryIds: string[];
  startPage: number;
  onPage: (page: number) => void;
  onSwitchView: (page: number) => void;
  onClose: () => void;
  actions: ReactNode;
}

export function ViewerBar({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <header className="flex items-center justify-between gap-2 px-2 py-1.5 sm:px-4 short:pointer-events-none short:absolute short:inset-x-0 short:top-0 short:z-10 short:*:pointer-events-auto">
      <Tooltip text="Close (Esc)">
        <IconButton name="Close" tone="ink" onClick={onClose}>
          <X />
        </IconButton>
      </Tooltip>
      <div className="flex items-center gap-1">{children}</div>
    </header>
  );
}

interface BarButtonProps {
  Icon: LucideIcon;
  onClick: () => void;
  isPending?: boolean;
  children: ReactNode;
}

export function BarButton({ Icon, onClick, isPending = false, children }: BarButtonProps) {
  return (
    <button
      type="button"
      onClick={() => isPending || onClick()}
      aria-disabled={isPending || undefined}
      className="inline-flex min-h-11 items-center gap-2 rounded-full px-3 font-semibold whitespace-nowrap hover:bg-well aria-disabled:cursor-progress sm:px-4"
    >
      <Icon />
      {children}
    </button>
  );
}

interface BookKeys {
  onTurn?: (direction: 1 | -1) => void;
  onFirst?: () => void;
  onLast?: () => void;
  onClose: () => void;
}

/** Handles keys wherever the focus is. */
export function useBookKeys({ onTurn, onFirst, onLast, onClose }: BookKeys): void {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const turn = (direction: 1 | -1) => onTurn && (() => onTurn(direction));
    const action = {
      ArrowRight: turn(1),
      ArrowLeft: turn(-1),
      PageDown: turn(1),
      PageUp: turn(-1),
      Home: onFirst,
      End: onLast,
      Escape: onClose,
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => handleKey(event);
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
