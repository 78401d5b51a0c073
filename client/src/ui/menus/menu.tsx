import {
  useId,
  useRef,
  useState,
  type ComponentType,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
} from 'react';
import { loadLater } from '../../lib/routing/load-later.tsx';
import { IconButton, type IconButtonProps } from '../buttons/icon-button.tsx';
import { MoreIcon } from '../icons.tsx';
import type { MenuGroup, MenuItem } from './menu-item.ts';

const RadixMenu = loadLater(async () => (await import('./radix-menu.tsx')).RadixMenu);

export type RenderItems = (items: (MenuItem | MenuGroup)[]) => ReactNode;

export interface MenuProps extends Pick<IconButtonProps, 'tone' | 'className'> {
  label: string;
  /** Of the button; by default three dots. */
  Icon?: ComponentType;
  /** A function calls its argument once it knows the items, which a list needs of few of its menus. */
  items: (MenuItem | MenuGroup)[] | ((render: RenderItems) => ReactNode);
  /** Receives the focus when a control near it is removed. */
  isFocusFallback?: boolean;
}

/** A list has many menus, so Radix's is rendered only when its button is focused or pressed. */
export function Menu({ label, Icon = MoreIcon, items, tone, className, isFocusFallback = false }: MenuProps) {
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
  const render: RenderItems = (items) => (
    <RadixMenu id={id} button={button} items={items} isOpen={isOpen} onOpenChange={setOpen} />
  );
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
        <Icon />
      </IconButton>
      {isUsed && (typeof items === 'function' ? items(render) : render(items))}
    </>
  );
}
