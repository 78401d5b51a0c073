import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { removeLanded, updateProgress, turnLeaves, type Leaf } from './leaves.ts';

const TURN_MS = 800;

/** A book with a manual clock. */
function createBook(position: number, last: number, hasCovers = true) {
  const leaves: Leaf[] = [];
  let now = 0;
  const move = (ms: number) => {
    for (const leaf of leaves) updateProgress(leaf, now, TURN_MS);
    now += ms;
    for (const leaf of leaves) updateProgress(leaf, now, TURN_MS);
    removeLanded(leaves, null);
  };
  return {
    leaves,
    move,
    turnTo: (target: number) => {
      turnLeaves(leaves, position, target, { last, hasCovers });
      position = target;
    },
    get position() {
      return position;
    },
    turns: () => leaves.map(({ low, high, goal }) => (goal === 1 ? [low, high] : [high, low])),
  };
}

describe('turning leaves', () => {
  it('turns one leaf, and removes it after the duration of a turn', () => {
    const book = createBook(1, 4);
    book.turnTo(2);
    expect(book.turns()).toEqual([[1, 2]]);
    book.move(TURN_MS / 2);
    expect(book.leaves[0]!.progress).toBeCloseTo(0.5);
    book.move(TURN_MS / 2);
    expect(book.leaves).toEqual([]);
  });

  it('reverses a leaf from its current progress', () => {
    const book = createBook(1, 4);
    book.turnTo(2);
    book.move(TURN_MS / 2);
    book.turnTo(1);
    expect(book.turns()).toEqual([[2, 1]]);
    expect(book.leaves[0]!.progress).toBeCloseTo(0.5);
    book.move(TURN_MS / 2);
    expect(book.leaves).toEqual([]);
  });

  it('turns several leaves one after the other', () => {
    const book = createBook(1, 9);
    for (const target of [2, 3, 4]) {
      book.turnTo(target);
      book.move(100);
    }
    const [first, second, third] = book.leaves.map(({ progress }) => progress);
    expect(first).toBeGreaterThan(second!);
    expect(second).toBeGreaterThan(third!);
  });

  it('extends the last leaf when many leaves are turning', () => {
    const book = createBook(0, 500);
    for (let target = 1; target <= 40; target++) book.turnTo(target);
    expect(book.leaves.length).toBeLessThanOrEqual(6);
    expect(book.leaves.at(-1)!.high).toBe(40);
  });

  it('jumps with one leaf, and turns the covers separately', () => {
    const book = createBook(3, 9);
    book.turnTo(7);
    expect(book.turns()).toEqual([[3, 7]]);
    const whole = createBook(0, 9);
    whole.turnTo(9);
    expect(whole.turns()).toEqual([
      [0, 1],
      [1, 8],
      [8, 9],
    ]);
    whole.move(TURN_MS / 2);
    whole.turnTo(0);
    expect(whole.turns()).toEqual([
      [1, 0],
      [8, 1],
      [9, 8],
    ]);
  });

  it('jumps past the covers in single-page mode', () => {
    const book = createBook(0, 17, false);
    book.turnTo(17);
    expect(book.turns()).toEqual([[0, 17]]);
  });

  it('splits a jump whose target moves back, and adds a leaf if it moves on', () => {
    const book = createBook(3, 20);
    book.turnTo(15);
    book.move(200);
    book.turnTo(12);
    expect(book.turns()).toEqual([
      [3, 12],
      [15, 12],
    ]);
    const [forward, back] = book.leaves;
    expect(back!.progress).toBe(forward!.progress);
    book.turnTo(18);
    expect(book.turns()).toEqual([
      [3, 12],
      [12, 18],
    ]);
  });

  it('keeps the leaves in order and finishes, for any sequence of turns', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 900 })));
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 12 }), fc.boolean(), steps, (last, hasCovers, steps) => {
        const book = createBook(0, last, hasCovers);
        for (const [target, ms] of steps) {
          book.turnTo(Math.min(target, last));
          book.move(ms);
          let at = book.leaves[0]?.low ?? book.position;
          for (const { low, high, goal } of book.leaves) {
            expect(low).toBe(at);
            expect(high).toBeGreaterThan(low);
            expect(goal).toBe(high <= book.position ? 1 : 0);
            at = high;
          }
        }
        book.move(10_000);
        expect(book.leaves).toEqual([]);
      }),
    );
  });
});
