import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

const DELAY_MS = 700;
const SKIP_DELAY_MS = 300;
const SCREEN_MARGIN_PX = 8;
/** Tooltips are rendered inside a landmark, as accessibility rules require; the end of the body is in none. */
const LANDMARK = '[role$="dialog"], main, header';
const TRIGGER = '[data-tooltip]';

/**
 * The one tooltip of the page, rendered when it is open. Not Radix's: with its positioning library that is 15 KiB in
 * the first load of every page, and a component for each icon.
 */
export function TooltipLayer() {
  const id = useId();
  const [trigger, setTrigger] = useState<HTMLElement | null>(null);
  useEffect(() => watchTriggers(id, setTrigger), [id]);
  if (!trigger) return null;
  return createPortal(
    <OpenTooltip key={trigger.dataset['tooltip']} id={id} trigger={trigger} />,
    trigger.closest(LANDMARK) ?? document.body,
  );
}

function OpenTooltip({ id, trigger }: { id: string; trigger: HTMLElement }) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (ref.current) placeAbove(ref.current, trigger.getBoundingClientRect());
    trigger.setAttribute('aria-describedby', id);
    return () => trigger.removeAttribute('aria-describedby');
  }, [id, trigger]);
  return (
    // The padding joins it to the trigger, so that the mouse can move over to it.
    <div
      ref={ref}
      id={id}
      role="tooltip"
      className="fixed top-0 left-0 z-50 w-max max-w-full animate-fade-in py-1.5"
    >
      <div className="rounded-field bg-ink px-3 py-1.5 text-small text-paper">
        {trigger.dataset['tooltip']}
      </div>
    </div>
  );
}

/** Below the trigger if there is no space above it. */
function placeAbove(tooltip: HTMLElement, trigger: DOMRect): void {
  // Not always the screen's corner: an ancestor with a transform is the origin.
  const origin = tooltip.getBoundingClientRect();
  const maxX = document.documentElement.clientWidth - SCREEN_MARGIN_PX - origin.width;
  const centered = trigger.left + (trigger.width - origin.width) / 2;
  const x = Math.max(SCREEN_MARGIN_PX, Math.min(centered, maxX));
  const y = trigger.top >= origin.height ? trigger.top - origin.height : trigger.bottom;
  tooltip.style.translate = `${x - origin.left}px ${y - origin.top}px`;
}

/** Calls `onTrigger` with the element whose tooltip opens, or null when it closes. @returns the cleanup */
function watchTriggers(tooltipId: string, onTrigger: (trigger: HTMLElement | null) => void): () => void {
  let hovered: HTMLElement | null = null;
  let open: HTMLElement | null = null;
  let closedAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const show = (trigger: HTMLElement | null) => {
    clearTimeout(timer);
    if (open && !trigger) closedAt = performance.now();
    open = trigger;
    removal.disconnect();
    if (trigger) removal.observe(document.body, { childList: true, subtree: true });
    onTrigger(trigger);
  };
  const close = () => show(null);
  const hover = ({ target, pointerType }: PointerEvent) => {
    if (
      !(target instanceof Element) ||
      pointerType === 'touch' ||
      target.closest(`#${CSS.escape(tooltipId)}`)
    )
      return;
    const trigger = target.closest<HTMLElement>(TRIGGER);
    if (trigger === hovered) return;
    hovered = trigger;
    const isSoon = open !== null || performance.now() - closedAt < SKIP_DELAY_MS;
    close();
    if (trigger) timer = setTimeout(() => trigger.isConnected && show(trigger), isSoon ? 0 : DELAY_MS);
  };
  const focus = ({ target }: FocusEvent) => {
    // No tooltip when a dialog returns the focus after a click.
    if (!(target instanceof Element) || !target.matches(':focus-visible')) return;
    const trigger = target.closest<HTMLElement>(TRIGGER);
    if (trigger) show(trigger);
  };
  const closeByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return;
    // A dialog ignores it then.
    event.preventDefault();
    close();
  };
  const closeIfMoved = ({ target }: Event) => target instanceof Node && target.contains(open) && close();
  const removal = new MutationObserver(() => open?.isConnected === false && close());

  const listeners = new AbortController();
  const options = { capture: true, passive: true, signal: listeners.signal };
  document.addEventListener('pointerover', hover, options);
  document.documentElement.addEventListener('pointerleave', () => ((hovered = null), close()), options);
  document.addEventListener('focusin', focus, options);
  document.addEventListener('focusout', close, options);
  for (const type of ['pointerdown', 'click']) document.addEventListener(type, close, options);
  document.addEventListener('scroll', closeIfMoved, options);
  // On the window: runs before a dialog's listener on the document.
  window.addEventListener('keydown', closeByKey, { capture: true, signal: listeners.signal });
  return () => {
    listeners.abort();
    removal.disconnect();
    clearTimeout(timer);
  };
}
