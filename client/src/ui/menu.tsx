import type { LucideIcon } from 'lucide-react';
import * as DropdownMenu from 'radix-ui/dropdown-menu';
import {
  useId,
  useImperativeHandle,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type Ref,
  type RefObject,
} from 'react';
import { classNames } from '../lib/class-names.ts';
import { isBehindDialog } from './focus.ts';
import { IconButton, type IconButtonProps } from './icon-button.tsx';
import { MoreIcon } from './icons.tsx';

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

/** A list has many: Radix' menu is rendered once its button is focused or pressed. */
export function Menu({ label, items, tone, className, isFocusFallback = false }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isUsed, setUsed] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0 || event.ctrlKey) return;
    // The press would take the focus from the menu.
    if (!isOpen) event.preventDefault();
    setUsed(true);
    setOpen(!isOpen);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!['Enter', ' ', 'ArrowDown'].includes(event.key)) return;
    event.preventDefault();
    setOpen(event.key === 'ArrowDown' || !isOpen);
  };
  return (
    <>
      <IconButton
        ref={button}
        id={id}
        name={label}
        tone={tone}
        className={className}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}menu` : undefined}
        onFocus={() => setUsed(true)}
        onPointerDown={onPointerDown}
        onKeyDown={onKeyDown}
        {...(isFocusFallback && { 'data-focus-fallback': '' })}
      >
        <MoreIcon />
      </IconButton>
      {isUsed && (
        <DropdownMenu.Root modal={false} open={isOpen} onOpenChange={setOpen}>
          <DropdownMenu.Trigger asChild>
            <RenderedButton button={button} />
          </DropdownMenu.Trigger>
          {isOpen && <OpenMenu id={id} items={items} button={button} />}
        </DropdownMenu.Root>
      )}
    </>
  );
}

/** Gives Radix the button as its trigger. Rendering the button inside of it would replace the focused one. */
function RenderedButton({
  ref,
  button,
}: {
  ref?: Ref<HTMLElement | null>;
  button: RefObject<HTMLElement | null>;
}) {
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => button.current, [button]);
  return null;
}

interface OpenMenuProps extends Pick<MenuProps, 'items'> {
  /** The button's. */
  id: string;
  button: RefObject<HTMLElement | null>;
}

function OpenMenu({ id, items, button }: OpenMenuProps) {
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
          id={`${id}menu`}
          aria-labelledby={id}
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
