import * as RadixTooltip from 'radix-ui/tooltip';
import { useState, type FocusEvent, type ReactNode } from 'react';

const DELAY_MS = 700;
const SKIP_DELAY_MS = 300;
/** Tooltips are rendered inside a landmark, as accessibility rules require; the end of the body is in none. */
const LANDMARK = '[role$="dialog"], main, header';

export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <RadixTooltip.Provider delayDuration={DELAY_MS} skipDelayDuration={SKIP_DELAY_MS}>
      {children}
    </RadixTooltip.Provider>
  );
}

/** Shows the name of an icon. The child needs its own accessible name. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  const [trigger, setTrigger] = useState<HTMLElement | null>(null);
  return (
    <RadixTooltip.Root>
      <RadixTooltip.Trigger ref={setTrigger} asChild onFocus={onlyIfVisible}>
        {children}
      </RadixTooltip.Trigger>
      <RadixTooltip.Portal container={trigger?.closest<HTMLElement>(LANDMARK) ?? null}>
        <RadixTooltip.Content
          sideOffset={6}
          // No closing animation: a closing tooltip would take an Escape that is meant for a newly opened dialog.
          className="z-50 rounded-field bg-ink px-3 py-1.5 text-small text-paper not-data-[state=closed]:animate-fade-in"
        >
          {text}
        </RadixTooltip.Content>
      </RadixTooltip.Portal>
    </RadixTooltip.Root>
  );
}

/** No tooltip when a dialog returns the focus after a click. */
function onlyIfVisible(event: FocusEvent): void {
  if (!event.target.matches(':focus-visible')) event.preventDefault();
}
