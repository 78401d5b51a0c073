// @vitest-environment jsdom
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { setUpComponents, showPage } from '../../testing/component.tsx';
import { someMemory } from '../../testing/some-memory.ts';
import { setJustAdded } from './just-added.ts';
import { Print } from './memory-print.tsx';

setUpComponents();

it('settles in once, when its memory was just added', () => {
  const memory = someMemory();
  showPage(<Print memory={memory} description="Biscuit" sizes="1px" onOpen={() => {}} />);
  const print = () => screen.getByRole('button', { name: 'Open Biscuit' });
  const isSettling = () => print().classList.contains('animate-settle');
  act(() => setJustAdded('another'));
  expect(isSettling()).toBe(false);
  act(() => setJustAdded(memory.id));
  expect(isSettling()).toBe(true);
  // jsdom has no AnimationEvent, so React listens for the older name.
  fireEvent(print(), new Event('webkitAnimationEnd', { bubbles: true }));
  expect(isSettling()).toBe(false);
});
