// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { navigate } from 'wouter/use-browser-location';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setUpComponents, showPage } from '../../testing/component.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { dismissToastsOnNavigation, showToast } from './toast-store.ts';

setUpComponents();

const say = (toast: Parameters<typeof showToast>[0]): void => void act(() => void showToast(toast));
const titles = () =>
  [...document.querySelectorAll('#notifications li div.font-semibold')].map((e) => e.textContent);
const region = () => screen.getByRole('region', { name: 'Notifications (F8)' });
const list = () => region().querySelector('ol')!;
const focus = (element: HTMLElement): void => void act(() => element.focus());
const pass = (ms: number): void => void act(() => void vi.advanceTimersByTime(ms));

describe('toast duration', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(document, 'hasFocus').mockReturnValue(true);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('is five seconds, ten with an action; one is visible at a time', () => {
    showPage(null);
    say({ title: 'Saved' });
    say({ title: 'Loved' });
    expect(titles()).toEqual(['Loved']);
    pass(4900);
    expect(titles()).toEqual(['Loved']);
    pass(200);
    expect(titles()).toEqual([]);
    say({ title: 'Deleted', action: { name: 'Undo', onPress: () => {} } });
    say({ title: 'Saved' });
    pass(9900);
    expect(titles()).toEqual(['Deleted']);
    pass(200);
    expect(titles()).toEqual(['Saved']);
    pass(5000);
    expect(titles()).toEqual([]);
  });

  it('pauses on hover and focus, then restarts', () => {
    showPage(null);
    say({ title: 'Saved' });
    pass(3000);
    fireEvent.pointerMove(region());
    pass(60_000);
    fireEvent.pointerLeave(region());
    pass(4900);
    expect(titles()).toEqual(['Saved']);
    fireEvent.keyDown(document, { key: 'F8', code: 'F8' });
    expect(document.activeElement).toBe(list());
    pass(60_000);
    focus(screen.getByRole('main'));
    pass(4900);
    expect(titles()).toEqual(['Saved']);
    pass(200);
    expect(titles()).toEqual([]);
  });

  it('starts when the window gets the focus', () => {
    vi.spyOn(document, 'hasFocus').mockReturnValue(false);
    showPage(null);
    say({ title: 'Saved' });
    pass(60_000);
    expect(titles()).toEqual(['Saved']);
    fireEvent.focus(window);
    pass(5000);
    expect(titles()).toEqual([]);
  });

  it('runs for the next toast after a dismissal with the mouse', () => {
    showPage(null);
    say({ title: 'Saved' });
    fireEvent.pointerMove(region());
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(titles()).toEqual([]);
    say({ title: 'Loved' });
    pass(5000);
    expect(titles()).toEqual([]);
  });
});

describe('navigation', () => {
  let stop = () => {};
  beforeEach(() => {
    window.history.replaceState(null, '', '/gallery');
    stop = dismissToastsOnNavigation();
  });
  afterEach(() => stop());
  const go = (...args: Parameters<typeof navigate>): void => void act(() => navigate(...args));

  it('to another page dismisses the toast', async () => {
    showPage(null);
    say({ title: 'Memory deleted', action: { name: 'Undo', onPress: () => {} } });
    go('/gallery?q=lake');
    expect(titles()).toEqual(['Memory deleted']);
    go('/timeline');
    expect(titles()).toEqual([]);
    say({ title: 'Saved' });
    act(() => window.history.back());
    await waitFor(() => expect(titles()).toEqual([]));
  });

  it('keeps the toast of a redirect', () => {
    showPage(null);
    say({ title: 'Welcome back!' });
    go('/', { replace: true });
    expect(titles()).toEqual(['Welcome back!']);
    go('/pets');
    expect(titles()).toEqual([]);
  });
});

describe('F8', () => {
  const showDialog = (onClose = () => {}) =>
    showPage(
      <Dialog isOpen onClose={onClose} title="At the lake">
        <button type="button">Love</button>
      </Dialog>,
    );
  const love = () => screen.getByRole('button', { name: 'Love' });

  it('leaves a modal dialog; Escape dismisses the toast and returns the focus', async () => {
    const onClose = vi.fn();
    const { user } = showDialog(onClose);
    focus(love());
    say({ title: 'Failed' });
    await user.keyboard('[F8]');
    expect(document.activeElement).toBe(list());
    await user.keyboard('{Tab}');
    expect(document.activeElement?.tagName).toBe('LI');
    await user.keyboard('{Escape}');
    expect(titles()).toEqual([]);
    expect(document.activeElement).toBe(love());
    expect(onClose).not.toHaveBeenCalled();
  });

  it('reaches an action, which dismisses the toast and returns the focus', async () => {
    const onPress = vi.fn();
    const { user } = showDialog();
    focus(love());
    say({ title: 'Deleted', action: { name: 'Undo', onPress } });
    await user.keyboard('[F8]{Tab}{Tab}');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Undo' }));
    await user.keyboard('{Enter}');
    expect(onPress).toHaveBeenCalledOnce();
    expect(titles()).toEqual([]);
    expect(document.activeElement).toBe(love());
  });

  it('reaches a toast that is older than the dialog, and Escape returns to the dialog', async () => {
    const onClose = vi.fn();
    const { user, rerender } = showPage(null);
    say({ title: 'Failed' });
    rerender(
      <Dialog isOpen onClose={onClose} title="At the lake">
        <button type="button">Love</button>
      </Dialog>,
    );
    focus(love());
    await user.keyboard('[F8]');
    expect(document.activeElement).toBe(list());
    await user.keyboard('{Tab}{Escape}');
    expect(titles()).toEqual([]);
    expect(document.activeElement).toBe(love());
    expect(onClose).not.toHaveBeenCalled();
  });

  it('lets Tab return from the toast, which stays, to the dialog', async () => {
    const { user } = showDialog();
    focus(love());
    say({ title: 'Failed' });
    await user.keyboard('[F8]{Tab}');
    const isInDialog = () => screen.getByRole('dialog').contains(document.activeElement);
    for (let tabs = 0; tabs < 4 && !isInDialog(); tabs++) await user.keyboard('{Tab}');
    expect(isInDialog()).toBe(true);
    expect(titles()).toEqual(['Failed']);
  });

  it('does not change that Escape elsewhere closes the dialog, even if the toast is newer', async () => {
    const onClose = vi.fn();
    const { user } = showDialog(onClose);
    focus(love());
    say({ title: 'Failed' });
    await waitFor(() => expect(list()).toBeTruthy());
    await user.keyboard('{Escape}');
    expect(onClose).toHaveBeenCalledOnce();
    expect(titles()).toEqual(['Failed']);
  });
});
