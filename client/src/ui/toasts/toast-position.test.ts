import { describe, expect, it } from 'vitest';
import { findToastPosition, type Box } from './toast-position.ts';

const phone = { width: 390, height: 664 };
const desktop = { width: 1280, height: 800 };
const notice = { width: 390, height: 100 };
const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });

describe('toast position', () => {
  it('is at the top of phones and in the lower right corner of wide screens', () => {
    expect(findToastPosition(phone, notice, [])).toMatchObject({ x: 0, y: 0 });
    expect(findToastPosition(desktop, notice, [])).toMatchObject({ x: 890, y: 700 });
  });

  it('is the nearest one that covers no button', () => {
    const close = box(330, 12, 44, 44);
    expect(findToastPosition(phone, notice, [close])).toMatchObject({ y: 56 });
    const create = box(200, 720, 880, 52);
    expect(findToastPosition(desktop, notice, [create])).toMatchObject({ x: 890, y: 620 });
  });

  it('ignores obstacles taller than the toast', () => {
    expect(findToastPosition(phone, notice, [box(0, 0, 390, 400)])).toMatchObject({ y: 0 });
  });

  it('covers no page of a book', () => {
    const page = { ...box(640, 60, 400, 680), isPage: true };
    expect(findToastPosition(desktop, notice, [page])).toMatchObject({ x: 0, y: 700 });
  });

  it('covers as little as possible without free space', () => {
    const rows = Array.from({ length: 9 }, (_, row) => box(20, row * 76, 350, row === 5 ? 20 : 70));
    const { y } = findToastPosition(phone, notice, rows);
    expect(y).toBeGreaterThan(rows[4]!.y);
    expect(y).toBeLessThan(rows[6]!.y);
  });

  it('stays if no other position is better', () => {
    const current = { x: 0, y: 160, ...notice };
    expect(findToastPosition(phone, notice, [box(0, 300, 44, 44)], current)).toBe(current);
    expect(findToastPosition(phone, notice, [box(0, 180, 44, 44)], current)).toMatchObject({ y: 0 });
  });

  it('is on the screen even if the toast is taller', () => {
    expect(findToastPosition({ width: 390, height: 80 }, notice, [box(0, 0, 44, 44)])).toMatchObject({
      y: 0,
    });
  });
});
