// @vitest-environment jsdom
import { useRef } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setUpComponents, showPage } from '../../../testing/component.tsx';
import { CloseUp } from './close-up.ts';

setUpComponents();

const animate = vi.fn();
let isMotionReduced = false;

/** jsdom has no layout: two tiles of 100 pixels in a row. */
beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: isMotionReduced }));
  HTMLElement.prototype.animate = function (this: HTMLElement, keyframes) {
    animate(this.textContent, (keyframes as { translate: string[] }).translate);
    return {} as Animation;
  };
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    const index = Number(this.getAttribute('aria-posinset')) - 1;
    return new DOMRect((index % 2) * 100, Math.floor(index / 2) * 100, 100, 100);
  });
});
afterEach(() => {
  animate.mockReset();
  Reflect.deleteProperty(HTMLElement.prototype, 'animate');
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function Grid({ ids }: { ids: string[] }) {
  const list = useRef<HTMLDivElement>(null);
  return (
    <div ref={list}>
      {ids.map((id, index) => (
        <p key={id} aria-posinset={index + 1}>
          {id}
        </p>
      ))}
      <CloseUp ids={ids} list={list} />
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
