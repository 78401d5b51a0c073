// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSelection, type Selection } from './selection.ts';
import { useSelectGestures } from './select-gestures.ts';

const IDS = ['a', 'b', 'c'];

let selection: Selection;
const onOpen = vi.fn();

function List() {
  const gestures = useSelectGestures(selection, IDS);
  return (
    <div {...gestures}>
      {IDS.map((id, index) => (
        <div key={id} aria-posinset={index + 1} aria-setsize={IDS.length} role="listitem">
          <button onClick={onOpen}>{id}</button>
          <button>Like {id}</button>
        </div>
      ))}
    </div>
  );
}

const photo = (id: string) => screen.getByRole('button', { name: id });
const touch = { pointerType: 'touch', isPrimary: true, button: 0 };

beforeEach(() => {
  onOpen.mockClear();
  selection = createSelection(() => {});
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

describe('a long press', () => {
  it('selects, and its click does not toggle again, but that of a keyboard does', () => {
    render(<List />);
    fireEvent.pointerDown(photo('a'), touch);
    vi.advanceTimersByTime(500);
    expect(selection.ids()).toEqual(['a']);
    fireEvent.pointerUp(photo('a'), touch);
    fireEvent.click(photo('a'), { detail: 1 });
    expect(selection.ids()).toEqual(['a']);
    fireEvent.pointerDown(photo('a'), touch);
    vi.advanceTimersByTime(500);
    fireEvent.pointerUp(photo('a'), touch);
    fireEvent.click(photo('b'), { detail: 0 });
    expect(selection.ids()).toEqual(['b']);
  });

  it('with a second finger is a pinch, which selects nothing', () => {
    render(<List />);
    fireEvent.pointerDown(photo('a'), touch);
    fireEvent.pointerDown(photo('b'), { ...touch, isPrimary: false });
    vi.advanceTimersByTime(1000);
    expect(selection.isActive()).toBe(false);
  });

  it('ends with its list', () => {
    const { unmount } = render(<List />);
    fireEvent.pointerDown(photo('a'), touch);
    unmount();
    vi.advanceTimersByTime(1000);
    expect(selection.isActive()).toBe(false);
  });
});

describe('dragging the mouse', () => {
  const mouse = { ...touch, pointerType: 'mouse', buttons: 1 };

  it('selects from the first photo to the one under it, and no further after its release elsewhere', () => {
    selection.start();
    render(<List />);
    fireEvent.pointerDown(photo('a'), mouse);
    fireEvent.pointerMove(photo('c'), mouse);
    fireEvent.pointerMove(photo('b'), mouse);
    expect(selection.ids()).toEqual(['a', 'b']);
    fireEvent.pointerUp(window, mouse);
    fireEvent.pointerMove(photo('c'), mouse);
    expect(selection.ids()).toEqual(['a', 'b']);
  });

  it('ends with a release that was missed', () => {
    selection.start();
    render(<List />);
    fireEvent.pointerDown(photo('a'), mouse);
    fireEvent.pointerMove(photo('a'), { ...mouse, buttons: 0 });
    fireEvent.pointerMove(photo('c'), mouse);
    expect(selection.ids()).toEqual([]);
  });

  it('works right after another drag', () => {
    selection.start();
    render(<List />);
    fireEvent.pointerDown(photo('c'), mouse);
    fireEvent.pointerMove(photo('b'), mouse);
    fireEvent.pointerUp(photo('b'), mouse);
    fireEvent.pointerDown(photo('a'), mouse);
    fireEvent.pointerMove(photo('b'), mouse);
    vi.advanceTimersByTime(1000);
    fireEvent.pointerMove(photo('c'), mouse);
    expect(selection.ids().toSorted()).toEqual(['a', 'b', 'c']);
  });
});

describe('the keyboard', () => {
  it('selects by x, also on another script’s keyboard, but not by another Latin letter in its place', () => {
    render(<List />);
    fireEvent.keyDown(photo('a'), { key: 'x', code: 'KeyB' });
    fireEvent.keyDown(photo('b'), { key: 'ч', code: 'KeyX' });
    fireEvent.keyDown(photo('c'), { key: 'q', code: 'KeyX' });
    expect(selection.ids()).toEqual(['a', 'b']);
  });

  it('keeps the focus when the button that had it is hidden', async () => {
    vi.useRealTimers();
    const user = userEvent.setup();
    render(<List />);
    await user.keyboard('{Control>}');
    await user.click(screen.getByRole('button', { name: 'Like b' }));
    expect(selection.ids()).toEqual(['b']);
    expect(document.activeElement).toBe(photo('b'));
    expect(onOpen).not.toHaveBeenCalled();
  });
});
