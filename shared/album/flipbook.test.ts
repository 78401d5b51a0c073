import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  countFlipbookPages,
  CreateFlipbookPdfRequest,
  flipbookPageAt,
  toBookOrder,
  toPhotoPage,
} from './flipbook.ts';
import { flipbookTexts } from './flipbook-texts.ts';

describe('a book', () => {
  it('has a cover, two pages for each memory, and an end', () => {
    expect([1, 2, 500].map(countFlipbookPages)).toEqual([4, 6, 1002]);
    const pages = Array.from({ length: 6 }, (_, page) => flipbookPageAt(page, 2));
    expect(pages).toEqual([
      { kind: 'cover' },
      { kind: 'photo', memory: 0 },
      { kind: 'caption', memory: 0 },
      { kind: 'photo', memory: 1 },
      { kind: 'caption', memory: 1 },
      { kind: 'end' },
    ]);
  });

  it('starts with the oldest of the chosen memories that still exist', () => {
    const newestFirst = ['may', 'april', 'march'];
    expect(toBookOrder(newestFirst, new Set(['may', 'march', 'gone']))).toEqual(['march', 'may']);
    expect(toBookOrder(newestFirst)).toEqual(['march', 'april', 'may']);
  });

  it('has no page before its cover, and none after its end', () => {
    expect(flipbookPageAt(-1, 2)).toEqual({ kind: 'cover' });
    expect(flipbookPageAt(6, 2)).toEqual({ kind: 'end' });
  });

  it('finds the photo of each memory', () => {
    for (const memory of [0, 1, 499])
      expect(flipbookPageAt(toPhotoPage(memory), 500)).toEqual({ kind: 'photo', memory });
  });

  it('says where a memory stands, and on which day the book was made', () => {
    expect(flipbookTexts.count(12)).toBe('12 Beautiful Memories');
    expect(flipbookTexts.count(1)).toBe('1 Beautiful Memory');
    expect(flipbookTexts.position(2, 12)).toBe('Memory 3 of 12');
    expect(flipbookTexts.createdOn('2026-03-01')).toBe('Created on March 1, 2026');
  });
});

describe('a request for a PDF', () => {
  const parse = (memories: number) =>
    z.safeParse(CreateFlipbookPdfRequest, { memoryIds: Array(memories).fill('id') });

  it('names 1 to 500 memories, and is rejected in words otherwise', () => {
    expect([parse(1).success, parse(500).success]).toEqual([true, true]);
    expect(parse(0).error?.issues[0]?.message).toBe(
      'Please select at least one memory to create a flipbook.',
    );
    expect(parse(501).error?.issues[0]?.message).toBe(
      'A PDF holds at most 500 memories. Please select fewer.',
    );
  });
});
