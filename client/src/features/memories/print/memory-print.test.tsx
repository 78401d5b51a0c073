// @vitest-environment jsdom
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { setUpComponents, showPage } from '../../../testing/component.tsx';
import { someMemory } from '../../../testing/some-memory.ts';
import { setJustAdded } from './just-added.ts';
import { openByText, Print } from './memory-print.tsx';

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

it('opens a memory by its text, but not by a link in it, which a modifier key opens in another tab', async () => {
  let opened = 0;
  const { user } = showPage(
    <ul>
      <li>
        <button onClick={() => opened++}>Open</button>
        <div onClick={openByText}>
          <p>At the lake</p>
          <a href="#summer">
            <span>summer</span>
          </a>
        </div>
      </li>
    </ul>,
  );
  await user.click(screen.getByText('summer'));
  await user.keyboard('{Control>}');
  await user.click(screen.getByText('summer'));
  await user.keyboard('{/Control}');
  expect(opened).toBe(0);
  await user.click(screen.getByText('At the lake'));
  expect(opened).toBe(1);
});
