// @vitest-environment jsdom
import { useRef } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setUpComponents, showPage } from '../../../testing/component.tsx';
import { CloseGap } from './close-gap.ts';

setUpComponents();

const animate = vi.fn();
const running = new Set<Element>();
let isMotionReduced = false;

/** jsdom has no layout: two tiles of 100 pixels in a row, each of them 5 pixels away while it moves. */
beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: isMotionReduced }));
  HTMLElement.prototype.animate = function (this: HTMLElement, keyframes) {
    animate(this.textContent, ...Object.values(keyframes as Record<string, string[]>));
    running.add(this);
    return { cancel: () => void running.delete(this) } as Animation;
  };
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    const index = Number(this.getAttribute('aria-posinset')) - 1;
    const moved = running.has(this) ? 5 : 0;
    return new DOMRect((index % 2) * 100 + moved, Math.floor(index / 2) * 100, 100, 100);
  });
});
afterEach(() => {
  animate.mockReset();
  running.clear();
  Reflect.deleteProperty(HTMLElement.prototype, 'animate');
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function Grid({ ids, listKey = 'all' }: { ids: string[]; listKey?: string }) {
  const list = useRef<HTMLDivElement>(null);
  return (
    <div ref={list}>
      {ids.map((id, index) => (
        <p key={id} aria-posinset={index + 1}>
          {id}
        </p>
      ))}
      <CloseGap ids={ids} listKey={listKey} list={list} />
    </div>
  );
}

function change(from: string, to: string): unknown[] {
  const page = showPage(<Grid ids={[...from]} />);
  page.rerender(<Grid ids={[...to]} />);
  return animate.mock.calls;
}

it('moves the tiles after removed ones from where they were', () => {
  isMotionReduced = false;
  expect(change('abcde', 'ace')).toEqual([
    ['c', ['-100px 100px', '0 0']],
    ['e', ['0px 100px', '0 0']],
  ]);
});

it('moves on from where the tiles are if more are removed meanwhile', () => {
  isMotionReduced = false;
  const page = showPage(<Grid ids={[...'abcd']} />);
  page.rerender(<Grid ids={[...'acd']} />);
  animate.mockReset();
  page.rerender(<Grid ids={[...'cd']} />);
  expect(animate.mock.calls).toEqual([
    ['c', ['105px 0px', '0 0']],
    ['d', ['-95px 100px', '0 0']],
  ]);
});

it('makes room for those that come back, and shows them', () => {
  isMotionReduced = false;
  const page = showPage(<Grid ids={[...'abcd']} />);
  page.rerender(<Grid ids={[...'bd']} />);
  running.clear();
  animate.mockReset();
  page.rerender(<Grid ids={[...'abcd']} />);
  expect(animate.mock.calls).toEqual([
    ['a', [0, 1]],
    ['b', ['-100px 0px', '0 0']],
    ['c', [0, 1]],
    ['d', ['0px -100px', '0 0']],
  ]);
});

it('moves nothing where another filter finds fewer', () => {
  isMotionReduced = false;
  const page = showPage(<Grid ids={[...'abcde']} />);
  page.rerender(<Grid ids={[...'ace']} listKey="loved" />);
  expect(animate).not.toHaveBeenCalled();
});

it.each([
  ['added memories', 'ab', 'xab'],
  ['another list', 'ab', 'xyz'],
])('moves nothing for %s', (_, from, to) => {
  isMotionReduced = false;
  expect(change(from, to)).toEqual([]);
});

it('moves nothing with reduced motion', () => {
  isMotionReduced = true;
  expect(change('abcde', 'ace')).toEqual([]);
});
