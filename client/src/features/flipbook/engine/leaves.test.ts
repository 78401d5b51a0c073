import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layDown, moveLeaf, turnLeaves, type Leaf } from './leaves.ts';

const TURN_MS = 800;

/** A book whose leaves move only when its clock does. */
function bookAt(position: number, last: number, hasBoards = true) {
  const leaves: Leaf[] = [];
  let now = 0;
  const move = (ms: number) => {
    for (const leaf of leaves) moveLeaf(leaf, now, TURN_MS);
    now += ms;
    for (const leaf of leaves) moveLeaf(leaf, now, TURN_MS);
    layDown(leaves, null);
  };
  return {
    leaves,
    move,
    turnTo: (target: number) => {
      turnLeaves(leaves, position, target, { last, hasBoards });
      position = target;
    },
    get position() {
      return position;
    },
    ways: () => leaves.map(({ low, high, goal }) => (goal === 1 ? [low, high] : [high, low])),
  };
}

describe('turning leaves', () => {
  it('turns one leaf, and lays it down after the time of a turn', () => {
    const book = bookAt(1, 4);
    book.turnTo(2);
    expect(book.ways()).toEqual([[1, 2]]);
    book.move(TURN_MS / 2);
    expect(book.leaves[0]!.progress).toBeCloseTo(0.5);
    book.move(TURN_MS / 2);
    expect(book.leaves).toEqual([]);
  });

  it('turns a leaf back from where it is', () => {
    const book = bookAt(1, 4);
    book.turnTo(2);
    book.move(TURN_MS / 2);
    book.turnTo(1);
    expect(book.ways()).toEqual([[2, 1]]);
    expect(book.leaves[0]!.progress).toBeCloseTo(0.5);
    book.move(TURN_MS / 2);
    expect(book.leaves).toEqual([]);
  });

  it('lets several leaves turn one after the other', () => {
    const book = bookAt(1, 9);
    for (const target of [2, 3, 4]) {
      book.turnTo(target);
      book.move(100);
    }
    const [first, second, third] = book.leaves.map(({ progress }) => progress);
    expect(first).toBeGreaterThan(second!);
    expect(second).toBeGreaterThan(third!);
  });

  it('takes more pages along when many leaves are turning already', () => {
    const book = bookAt(0, 500);
    for (let target = 1; target <= 40; target++) book.turnTo(target);
    expect(book.leaves.length).toBeLessThanOrEqual(6);
    expect(book.leaves.at(-1)!.high).toBe(40);
  });

  it('jumps by one leaf, with the covers turning by themselves', () => {
    const book = bookAt(3, 9);
    book.turnTo(7);
    expect(book.ways()).toEqual([[3, 7]]);
    const whole = bookAt(0, 9);
    whole.turnTo(9);
    expect(whole.ways()).toEqual([
      [0, 1],
      [1, 8],
      [8, 9],
    ]);
    whole.move(TURN_MS / 2);
    whole.turnTo(0);
    expect(whole.ways()).toEqual([
      [1, 0],
      [8, 1],
      [9, 8],
    ]);
  });

  it('jumps past a cover when pages are single', () => {
    const book = bookAt(0, 17, false);
    book.turnTo(17);
    expect(book.ways()).toEqual([[0, 17]]);
  });

  it('parts a jump that is to end earlier, and takes a longer one further', () => {
    const book = bookAt(3, 20);
    book.turnTo(15);
    book.move(200);
    book.turnTo(12);
    expect(book.ways()).toEqual([
      [3, 12],
      [15, 12],
    ]);
    const [on, back] = book.leaves;
    expect(back!.progress).toBe(on!.progress);
    book.turnTo(18);
    expect(book.ways()).toEqual([
      [3, 12],
      [12, 18],
    ]);
  });

  it('keeps the leaves in order, and comes to rest, whatever is asked of it', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 900 })));
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 12 }), fc.boolean(), steps, (last, hasBoards, steps) => {
        const book = bookAt(0, last, hasBoards);
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
