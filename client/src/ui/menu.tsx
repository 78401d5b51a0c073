import { Ellipsis, type LucideIcon } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useRef, useState, type RefObject } from 'react';
import { classNames } from '../lib/class-names.ts';
import { IconButton, type IconButtonProps } from './icon-button.tsx';

export interface MenuItem {
  name: string;
  Icon: LucideIcon;
  isDanger?: boolean;
  /** Decides where the focus goes. Given the menu's button, for it to come back to. */
  onChoose: (opener: HTMLElement) => void;
}

interface MenuProps extends Pick<IconButtonProps, 'tone' | 'className'> {
  /** Of the button. */
  label: string;
  items: MenuItem[];
  ref?: RefObject<HTMLButtonElement | null>;
}

/** A button with three dots, and what can be done behind it. */
export function Menu({ label, items, tone, className, ref }: MenuProps) {
  const ownRef = useRef<HTMLButtonElement>(null);
  const opener = ref ?? ownRef;
  const isChosen = useRef(false);
  const [isOpen, setOpen] = useState(false);
  const follow = (isOpen: boolean) => {
    if (isOpen) isChosen.current = false;
    setOpen(isOpen);
  };
  const choose = ({ onChoose }: MenuItem) => {
    isChosen.current = true;
    if (opener.current) onChoose(opener.current);
  };
  return (
    <DropdownMenu.Root modal={false} open={isOpen} onOpenChange={follow}>
      <DropdownMenu.Trigger asChild>
        <IconButton ref={opener} name={label} tone={tone} className={className}>
          <Ellipsis />
        </IconButton>
      </DropdownMenu.Trigger>
      {isOpen && <OpenMenu items={items} onChoose={choose} isChosen={isChosen} opener={opener} />}
    </DropdownMenu.Root>
  );
}

interface OpenMenuProps {
  items: MenuItem[];
  onChoose: (item: MenuItem) => void;
  isChosen: RefObject<boolean>;
  opener: RefObject<HTMLElement | null>;
}

function OpenMenu({ items, onChoose, isChosen, opener }: OpenMenuProps) {
  // Outside an open dialog it could be neither seen nor reached.
  const [container] = useState(
    () => opener.current?.closest<HTMLElement>('[role="dialog"]') ?? document.getElementById('main'),
  );
  return (
    <>
      <DropdownMenu.Portal container={container}>
        {/* A tap beside the menu closes it, and does nothing else. */}
        <div className="fixed inset-0 z-20" />
      </DropdownMenu.Portal>
      <DropdownMenu.Portal container={container}>
        <DropdownMenu.Content
          sideOffset={4}
          collisionPadding={12}
          onCloseAutoFocus={(event) => isChosen.current && event.preventDefault()}
          className="z-20 min-w-40 animate-fade-in rounded-field border border-hairline bg-sheet p-1.5 shadow-lifted"
        >
          {items.map((item) => (
            <DropdownMenu.Item
              key={item.name}
              onSelect={() => onChoose(item)}
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
