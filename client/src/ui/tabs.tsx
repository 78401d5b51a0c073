import { useId, useState, type KeyboardEvent, type ReactNode, type SyntheticEvent } from 'react';
import { classNames } from '../lib/class-names.ts';
import { hasModifier } from '../lib/keyboard.ts';

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

/** https://www.w3.org/WAI/ARIA/apg/patterns/tabs/, with automatic activation. Not Radix's, which doubles the sign-in page's own code. */
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
  const openTab = onChoose ? tab : chosen;
  const choose = (name: Name) => {
    if (name !== openTab) (onChoose ?? setChosen)(name);
  };
  return (
    <div>
      <div
        role="tablist"
        aria-label={label}
        {...(isFocusFallback && { 'data-focus-fallback': '' })}
        onKeyDown={focusTabByKey}
        className={classNames('flex border-b border-hairline', className)}
      >
        {tabs.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}-tab`}
            aria-selected={name === openTab}
            aria-controls={`${id}-${name}`}
            tabIndex={name === openTab ? 0 : -1}
            onPointerDown={hideFocus}
            onKeyDown={showFocus}
            onBlur={showFocus}
            onFocus={() => choose(name)}
            // Safari does not focus a button on click.
            onClick={() => choose(name)}
            className="-mb-px min-h-11 flex-1 rounded-t-field border-b-2 border-transparent font-semibold text-muted -outline-offset-2 transition-colors duration-150 hover:text-ink aria-selected:border-accent aria-selected:text-ink data-pressed:outline-none"
          >
            {title}
          </button>
        ))}
      </div>
      {tabs.map(({ name, content }) => (
        <div
          key={name}
          role="tabpanel"
          id={`${id}-${name}`}
          aria-labelledby={`${id}-${name}-tab`}
          tabIndex={-1}
          hidden={name !== openTab}
          className="pt-6 focus:outline-none"
        >
          {name === openTab && content}
        </div>
      ))}
    </div>
  );
}

function focusTabByKey(event: KeyboardEvent<HTMLElement>): void {
  if (hasModifier(event)) return;
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')];
  const index = tabs.findIndex((tab) => tab === event.target);
  const next: Record<string, HTMLElement | undefined> = {
    ArrowLeft: tabs.at(index - 1),
    ArrowRight: tabs[(index + 1) % tabs.length],
    Home: tabs[0],
    End: tabs.at(-1),
  };
  const target = next[event.key];
  if (index < 0 || !target) return;
  event.preventDefault();
  target.focus();
}

/** A clicked tab shows no focus ring, even after the keyboard was used. */
function hideFocus({ currentTarget }: SyntheticEvent<HTMLElement>): void {
  currentTarget.dataset['pressed'] = '';
}

function showFocus({ currentTarget }: SyntheticEvent<HTMLElement>): void {
  delete currentTarget.dataset['pressed'];
}
