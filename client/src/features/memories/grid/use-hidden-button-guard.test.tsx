// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { setUpComponents } from '../../../testing/component.tsx';
import { useHiddenButtonGuard } from './use-hidden-button-guard.ts';

setUpComponents();

function Card({ opacity, onPress }: { opacity: number; onPress: (event: string) => void }) {
  return (
    <div {...useHiddenButtonGuard()}>
      <button style={{ opacity }} onPointerDown={() => onPress('down')} onClick={() => onPress('click')}>
        Edit
      </button>
    </div>
  );
}

it.each([
  { pointerType: 'pen', opacity: 0, pressed: [] },
  { pointerType: 'pen', opacity: 1, pressed: ['down', 'click'] },
  { pointerType: 'touch', opacity: 0, pressed: [] },
  { pointerType: 'mouse', opacity: 0, pressed: ['down', 'click'] },
])(
  'a $pointerType on a button of opacity $opacity presses: $pressed',
  ({ pointerType, opacity, pressed }) => {
    const presses: string[] = [];
    render(<Card opacity={opacity} onPress={(event) => presses.push(event)} />);
    const button = screen.getByRole('button');
    fireEvent.pointerDown(button, { pointerType });
    fireEvent.click(button, { detail: 1 });
    expect(presses).toEqual(pressed);
  },
);

it("a hidden button can be pressed by the keyboard, and by a screen reader's click", () => {
  const presses: string[] = [];
  render(<Card opacity={0} onPress={(event) => presses.push(event)} />);
  fireEvent.pointerDown(screen.getByRole('button'), { pointerType: 'pen' });
  fireEvent.click(screen.getByRole('button'), { detail: 0 });
  expect(presses).toEqual(['click']);
});
