// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { Trash2 } from 'lucide-react';
import { expect, it, vi } from 'vitest';
import { setUpComponents, showPage } from '../../testing/component.tsx';
import { TIMEOUT } from '../../testing/timeout.ts';
import { Menu } from './menu.tsx';

setUpComponents();

const button = () => screen.getByRole('button', { name: 'More actions' });
const item = (name: string) => screen.getByRole('menuitem', { name });

function show() {
  const onChoose = vi.fn<(name: string) => void>();
  const items = ['Share', 'Delete'].map((name) => ({ name, Icon: Trash2, onChoose: () => onChoose(name) }));
  return { onChoose, ...showPage(<Menu label="More actions" items={items} />) };
}

it('names the open menu after its button, which says that it is open', async () => {
  const { user } = show();
  expect(button().getAttribute('aria-haspopup')).toBe('menu');
  expect(button().getAttribute('aria-expanded')).toBe('false');
  await user.click(button());
  const menu = screen.getByRole('menu', { name: 'More actions' });
  expect(document.activeElement).toBe(menu);
  const trigger = screen.getByRole('button', { name: 'More actions', hidden: true });
  expect(trigger.getAttribute('aria-expanded')).toBe('true');
  expect(trigger.getAttribute('aria-controls')).toBe(menu.id);
});

it.each(['{Enter}', ' ', '{ArrowDown}'])('%s opens it and focuses the first item', async (key) => {
  const { user, onChoose } = show();
  await user.tab();
  await user.keyboard(key);
  await vi.waitFor(() => expect(document.activeElement).toBe(item('Share')), TIMEOUT);
  await user.keyboard('{ArrowDown}');
  await vi.waitFor(() => expect(document.activeElement).toBe(item('Delete')), TIMEOUT);
  await user.keyboard('{Enter}');
  expect(onChoose.mock.calls).toEqual([['Delete']]);
  await vi.waitFor(() => expect(document.activeElement).toBe(button()), TIMEOUT);
});

it('names a group of choices and tells which is chosen', async () => {
  const choices = ['Light', 'Dark'].map((name) => ({
    name,
    Icon: Trash2,
    isChecked: name === 'Dark',
    onChoose: () => {},
  }));
  const { user } = showPage(<Menu label="More actions" items={[{ label: 'Theme', choices }]} />);
  await user.click(button());
  const shown = within(screen.getByRole('group', { name: 'Theme' })).getAllByRole('menuitemradio');
  expect(shown.map((each) => [each.textContent, each.getAttribute('aria-checked')])).toEqual([
    ['Light', 'false'],
    ['Dark', 'true'],
  ]);
});

it('Escape closes it and returns the focus to its button', async () => {
  const { user } = show();
  await user.click(button());
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('menu')).toBeNull();
  await vi.waitFor(() => expect(document.activeElement).toBe(button()), TIMEOUT);
  await user.keyboard('{Enter}');
  await vi.waitFor(() => expect(document.activeElement).toBe(item('Share')), TIMEOUT);
});

it('opens for a press of the main button only', async () => {
  const { user } = show();
  await user.pointer({ keys: '[MouseRight]', target: button() });
  expect(screen.queryByRole('menu')).toBeNull();
});
