import { Check } from 'lucide-react';
import * as DropdownMenu from 'radix-ui/dropdown-menu';
import { useImperativeHandle, useState, type Ref, type RefObject } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { isBehindDialog } from '../focus.ts';
import type { MenuGroup, MenuItem } from './menu-item.ts';

interface OpenMenuProps {
  /** The button's. */
  id: string;
  button: RefObject<HTMLElement | null>;
  items: (MenuItem | MenuGroup)[];
}

interface RadixMenuProps extends OpenMenuProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

export function RadixMenu({ isOpen, onOpenChange, ...menu }: RadixMenuProps) {
  return (
    <DropdownMenu.Root modal={false} open={isOpen} onOpenChange={onOpenChange}>
      <DropdownMenu.Trigger asChild>
        <RenderedButton button={menu.button} />
      </DropdownMenu.Trigger>
      {isOpen && <OpenMenu {...menu} />}
    </DropdownMenu.Root>
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

function OpenMenu({ id, items, button }: OpenMenuProps) {
  // An open dialog hides what is outside it.
  const [container] = useState(
    () => button.current?.closest<HTMLElement>('[role="dialog"]') ?? document.getElementById('main'),
  );
  const allItems = items.flatMap((item) => ('choices' in item ? item.choices : item));
  const reasons = [...new Set(allItems.flatMap(({ disabledReason }) => disabledReason ?? []))];
  const reasonId = (reason: string) => `${id}reason${reasons.indexOf(reason)}`;
  const toItem = (item: MenuItem) => (
    <Item
      key={item.name}
      item={item}
      button={button}
      {...(item.disabledReason && { describedBy: reasonId(item.disabledReason) })}
    />
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
          align="end"
          sideOffset={4}
          collisionPadding={12}
          onCloseAutoFocus={(event) => isBehindDialog(button.current) && event.preventDefault()}
          className="z-20 max-w-72 min-w-40 animate-fade-in rounded-field border border-hairline bg-sheet p-1.5 shadow-lifted"
        >
          {items.map((item) =>
            'choices' in item ? (
              <DropdownMenu.Group key={item.label} aria-label={item.label}>
                {item.choices.map(toItem)}
              </DropdownMenu.Group>
            ) : (
              toItem(item)
            ),
          )}
          {reasons.map((reason) => (
            <p
              key={reason}
              id={reasonId(reason)}
              className="mt-1.5 border-t border-hairline px-3 pt-2.5 pb-1.5 text-small text-muted"
            >
              {reason}
            </p>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </>
  );
}

interface ItemProps {
  item: MenuItem;
  button: RefObject<HTMLElement | null>;
  describedBy?: string;
}

function Item({ item, button, describedBy }: ItemProps) {
  const { name, Icon, isChecked, isDanger, disabledReason, onChoose } = item;
  return (
    <DropdownMenu.Item
      onSelect={(event) => (disabledReason ? event.preventDefault() : onChoose(button.current))}
      // Not Radix's `disabled`: the focus must reach the item for a screen reader to tell the reason.
      {...(isChecked !== undefined && { role: 'menuitemradio', 'aria-checked': isChecked })}
      {...(disabledReason && { 'aria-disabled': true, 'aria-describedby': describedBy })}
      className={classNames(
        'flex min-h-11 cursor-pointer items-center gap-3 rounded-[5px] px-3 outline-none select-none data-highlighted:bg-well',
        isDanger && 'text-danger',
        disabledReason && 'cursor-default text-muted',
      )}
    >
      <Icon className="size-4.5" />
      {name}
      {isChecked && <Check className="ml-auto size-4.5" />}
    </DropdownMenu.Item>
  );
}
