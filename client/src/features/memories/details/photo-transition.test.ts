// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TIMEOUT } from '../../../testing/timeout.ts';
import { transitionPhoto } from './photo-transition.ts';

let isMotionReduced: boolean;
let start: ReturnType<typeof vi.fn<(update: () => void) => unknown>>;
let runUpdate: (() => void) | undefined;

beforeEach(() => {
  isMotionReduced = false;
  vi.stubGlobal('matchMedia', () => ({ matches: isMotionReduced }));
  start = vi.fn((update: () => void) => {
    runUpdate = update;
    // Skipped, as in a hidden tab.
    return { ready: Promise.reject(new Error('skipped')), finished: Promise.resolve() };
  });
  Object.assign(document, { startViewTransition: start });
});
afterEach(() => {
  Reflect.deleteProperty(document, 'startViewTransition');
  vi.unstubAllGlobals();
});

const photo = () => document.createElement('div');
const update = vi.fn<(hasViewTransition: boolean) => void>();
beforeEach(() => update.mockReset());

it('names one photo at a time, updates once, and ignores a second press before that', async () => {
  const [card, opened] = [photo(), photo()];
  const names = () => [card, opened].map(({ style }) => style.viewTransitionName || 'none');
  const open = () => transitionPhoto({ from: card, to: () => opened, update });
  open();
  open();
  expect(start).toHaveBeenCalledTimes(1);
  expect(update).not.toHaveBeenCalled();
  expect(names()).toEqual(['memory-photo', 'none']);
  runUpdate?.();
  expect(update.mock.calls).toEqual([[true]]);
  expect(names()).toEqual(['none', 'memory-photo']);
  await vi.waitFor(() => expect(names()).toEqual(['none', 'none']), TIMEOUT);
});

it('takes the name from a closing photo when another is opened meanwhile', async () => {
  const [opened, firstCard, secondCard] = [photo(), photo(), photo()];
  const names = () => [opened, firstCard, secondCard].map(({ style }) => style.viewTransitionName || 'none');
  transitionPhoto({ from: opened, to: () => firstCard, update });
  runUpdate?.();
  expect(names()).toEqual(['none', 'memory-photo', 'none']);
  transitionPhoto({ from: secondCard, to: () => opened, update });
  expect(names()).toEqual(['none', 'none', 'memory-photo']);
  runUpdate?.();
  expect(names()).toEqual(['memory-photo', 'none', 'none']);
  await vi.waitFor(() => expect(names()).toEqual(['none', 'none', 'none']), TIMEOUT);
});

it.each([
  ['with reduced motion', () => (isMotionReduced = true)],
  [
    'where the browser has no view transitions',
    () => Reflect.deleteProperty(document, 'startViewTransition'),
  ],
])('updates at once %s', (_, change) => {
  change();
  transitionPhoto({ from: photo(), to: photo, update });
  expect(update.mock.calls).toEqual([[false]]);
});

it('updates at once where the card is out of view', () => {
  transitionPhoto({ from: null, to: photo, update });
  expect(update.mock.calls).toEqual([[false]]);
  expect(start).not.toHaveBeenCalled();
});
