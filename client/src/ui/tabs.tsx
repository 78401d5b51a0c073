import * as RadixTabs from 'radix-ui/tabs';
import type { ReactNode, SyntheticEvent } from 'react';
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

export function Tabs<Name extends string>({
  label,
  tab,
  onChoose,
  tabs,
  className,
  isFocusFallback,
}: TabsProps<Name>) {
  const choose = (name: string) => {
    const chosen = tabs.find((each) => each.name === name);
    if (chosen) onChoose?.(chosen.name);
  };
  return (
    <RadixTabs.Root {...(onChoose ? { value: tab, onValueChange: choose } : { defaultValue: tab })}>
      <RadixTabs.List
        aria-label={label}
        {...(isFocusFallback && { 'data-focus-fallback': '' })}
        className={classNames('flex border-b border-hairline', className)}
      >
        {tabs.map(({ name, title }) => (
          <RadixTabs.Trigger
            key={name}
            value={name}
            onPointerDown={hideFocus}
            onKeyDown={showFocus}
            onBlur={showFocus}
            className="-mb-px min-h-11 flex-1 rounded-t-field border-b-2 border-transparent font-semibold text-muted -outline-offset-2 transition-colors duration-150 hover:text-ink data-pressed:outline-none data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {title}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {tabs.map(({ name, content }) => (
        <RadixTabs.Content key={name} value={name} tabIndex={-1} className="pt-6 focus:outline-none">
          {content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}

/** Radix focuses a clicked tab, which shows a focus ring: https://github.com/radix-ui/primitives/issues/1803 */
function hideFocus({ currentTarget }: SyntheticEvent<HTMLElement>): void {
  currentTarget.dataset['pressed'] = '';
}

function showFocus({ currentTarget }: SyntheticEvent<HTMLElement>): void {
  delete currentTarget.dataset['pressed'];
}
