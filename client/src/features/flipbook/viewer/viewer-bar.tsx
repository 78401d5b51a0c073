import { X, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Tooltip } from '../../../ui/tooltip.tsx';

interface ViewerBarProps {
  onClose: () => void;
  children: ReactNode;
}

/** Above the book: the way out, and what else can be done with it. */
export function ViewerBar({ onClose, children }: ViewerBarProps) {
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
  /** It works; it can't be pressed again. */
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
