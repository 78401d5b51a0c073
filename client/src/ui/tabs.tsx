import { Tabs as RadixTabs } from 'radix-ui';
import type { ReactNode } from 'react';

interface TabsProps {
  label: string;
  defaultTab: string;
  tabs: { name: string; title: string; content: ReactNode }[];
}

export function Tabs({ label, defaultTab, tabs }: TabsProps) {
  return (
    <RadixTabs.Root defaultValue={defaultTab}>
      <RadixTabs.List aria-label={label} className="flex border-b border-hairline">
        {tabs.map(({ name, title }) => (
          <RadixTabs.Trigger
            key={name}
            value={name}
            className="-mb-px min-h-11 flex-1 rounded-t-field border-b-2 border-transparent font-semibold text-muted -outline-offset-2 transition-colors duration-150 hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
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
