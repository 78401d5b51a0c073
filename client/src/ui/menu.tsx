import { Ellipsis, type LucideIcon } from 'lucide-react';
import * as DropdownMenu from 'radix-ui/dropdown-menu';
import { useRef, useState, type RefObject } from 'react';
import { classNames } from '../lib/class-names.ts';
import { isBehindDialog } from './focus.ts';
import { IconButton, type IconButtonProps } from './icon-button.tsx';

export interface MenuItem {
  name: string;
  Icon: LucideIcon;
  isDanger?: boolean;
  onChoose: () => void;
}

interface MenuProps extends Pick<IconButtonProps, 'tone' | 'className'> {
  label: string;
  items: MenuItem[];
  /** Receives the focus when a control near it is removed. */
  isFocusFallback?: boolean;
}

export function Menu({ label, items, tone, className, isFocusFallback = false }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <DropdownMenu.Root modal={false} open={isOpen} onOpenChange={setOpen}>
      <DropdownMenu.Trigger asChild>
        <IconButton
          ref={button}
          name={label}
          tone={tone}
          className={className}
          {...(isFocusFallback && { 'data-focus-fallback': '' })}
        >
          <Ellipsis />
        </IconButton>
      </DropdownMenu.Trigger>
      {isOpen && <OpenMenu items={items} button={button} />}
    </DropdownMenu.Root>
  );
}

function OpenMenu({ items, button }: { items: MenuItem[]; button: RefObject<HTMLElement | null> }) {
  // An open dialog hides what is outside it.
  const [container] = useState(
    () => button.current?.closest<HTMLElement>('[role="dialog"]') ?? document.getElementById('main'),
  );
  return (
    <>
      <DropdownMenu.Portal container={container}>
        {/* A tap outside only closes the menu. */}
        <div className="fixed inset-0 z-20" />
      </DropdownMenu.Portal>
      <DropdownMenu.Portal container={container}>
        <DropdownMenu.Content
          sideOffset={4}
          collisionPadding={12}
          onCloseAutoFocus={(event) => isBehindDialog(button.current) && event.preventDefault()}
          className="z-20 min-w-40 animate-fade-in rounded-field border border-hairline bg-sheet p-1.5 shadow-lifted"
        >
          {items.map((item) => (
            <DropdownMenu.Item
              key={item.name}
              onSelect={item.onChoose}
              className={classNames(
                'flex min-h-11 cursor-pointer items-center gap-3 rounded-[5px] px-3 outline-none select-none data-highlighted:bg-well',
                item.isDanger && 'text-danger',
              )}
            >
              <item.Icon className="size-4.5" />
              {item.name}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </>
  );
}
