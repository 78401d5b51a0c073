import { Tooltip as RadixTooltip } from 'radix-ui';
import { useState, type FocusEvent, type ReactNode } from 'react';

const DELAY_MS = 700;
const SKIP_DELAY_MS = 300;
/** A tooltip at the end of the body would be in none of them. */
const LANDMARK = '[role$="dialog"], main, header';

export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <RadixTooltip.Provider delayDuration={DELAY_MS} skipDelayDuration={SKIP_DELAY_MS}>
      {children}
    </RadixTooltip.Provider>
  );
}

/** Shows the name of something that is only a picture. The child still needs its own accessible name. */
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
          // With an animation on closing it would stay a while, and what has just been opened would miss an Escape.
          className="z-50 rounded-field bg-ink px-3 py-1.5 text-small text-paper not-data-[state=closed]:animate-fade-in"
        >
          {text}
        </RadixTooltip.Content>
      </RadixTooltip.Portal>
    </RadixTooltip.Root>
  );
}

/** A focus that comes back to a button after a click elsewhere, as from a dialog, asks for no explanation. */
function onlyIfVisible(event: FocusEvent): void {
  if (!event.target.matches(':focus-visible')) event.preventDefault();
}
