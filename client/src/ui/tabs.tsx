import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { hasModifier } from '../lib/browser/keyboard.ts';
import { classNames } from '../lib/class-names.ts';

interface TabsProps<Name extends string> {
  label: string;
  /** The open tab; without `onChoose` the one that is open at first. */
  tab: Name;
  onChoose?: (tab: Name) => void;
  tabs: { name: Name; title: string; content: ReactNode }[];
  className?: string;
  /** The open tab receives the focus when a control in its panel is removed. */
  isFocusFallback?: boolean;
}

/** Tabs that open when an arrow key moves the focus to them: https://www.w3.org/WAI/ARIA/apg/patterns/tabs/ */
export function Tabs<Name extends string>({
  label,
  tab,
  onChoose,
  tabs,
  className,
  isFocusFallback,
}: TabsProps<Name>) {
  const id = useId();
  const [chosen, setChosen] = useState(tab);
  const [open, choose] = onChoose ? [tab, onChoose] : [chosen, setChosen];
  const moveFocus = (event: KeyboardEvent<HTMLElement>) => {
    const index = indexAfterKey(
      event.key,
      tabs.findIndex(({ name }) => name === open),
      tabs.length,
    );
    const next = index === null ? undefined : tabs[index];
    if (index === null || !next || hasModifier(event)) return;
    event.preventDefault();
    choose(next.name);
    event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[index]?.focus();
  };
  return (
    <div>
      <div
        role="tablist"
        aria-label={label}
        onKeyDown={moveFocus}
        {...(isFocusFallback && { 'data-focus-fallback': '' })}
        className={classNames('flex border-b border-hairline', className)}
      >
        {tabs.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}${name}`}
            aria-selected={name === open}
            aria-controls={`${id}${name}-panel`}
            tabIndex={name === open ? 0 : -1}
            onClick={() => choose(name)}
            className="-mb-px min-h-11 flex-1 rounded-t-field border-b-2 border-transparent font-semibold text-muted -outline-offset-2 transition-colors duration-150 hover:text-ink aria-selected:border-accent aria-selected:text-ink"
          >
            {title}
          </button>
        ))}
      </div>
      {tabs.map(({ name, content }) => (
        <div
          key={name}
          role="tabpanel"
          id={`${id}${name}-panel`}
          aria-labelledby={`${id}${name}`}
          hidden={name !== open}
          tabIndex={-1}
          className="pt-6 focus:outline-none"
        >
          {name === open && content}
        </div>
      ))}
    </div>
  );
}

function indexAfterKey(key: string, index: number, count: number): number | null {
  const indexes: Record<string, number> = {
    ArrowLeft: (index + count - 1) % count,
    ArrowRight: (index + 1) % count,
    Home: 0,
    End: count - 1,
  };
  return indexes[key] ?? null;
}
