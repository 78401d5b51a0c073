import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

type Colors = Record<string, string>;

/** The custom properties of the rule with this selector. */
function readColors(file: string, selector: string): Colors {
  const css = readFileSync(join(import.meta.dirname, file), 'utf8');
  const start = css.indexOf(`\n${selector} {`);
  const rule = css.slice(start, css.indexOf('\n}', start));
  const properties = [...rule.matchAll(/--([\w-]+): (#[\da-f]{6})/g)];
  return Object.fromEntries<string>(properties.map(([, name, color]) => [name!, color!]));
}

function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string | undefined, other: string | undefined): number {
  const [dark, light] = [luminance(one ?? ''), luminance(other ?? '')].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

const light = readColors('theme.css', ':root');
const dark = { ...light, ...readColors('theme.css', "[data-theme='dark']") };

describe.each(Object.entries({ light, dark }))('the %s theme', (_, colors) => {
  it.each(['paper', 'sheet', 'print', 'well'])('has readable text on %s', (surface) => {
    for (const text of ['ink', 'muted', 'danger'])
      expect(contrast(colors[text], colors[surface]), text).toBeGreaterThanOrEqual(4.5);
  });

  it.each([
    ['on-accent', 'accent'],
    ['on-accent', 'accent-deep'],
    ['on-destructive', 'destructive'],
    ['on-destructive', 'destructive-deep'],
  ])('has readable text in buttons: %s on %s', (text, surface) => {
    expect(contrast(colors[text], colors[surface])).toBeGreaterThanOrEqual(4.5);
  });
});

it('the dark theme tells a destructive button from the main one', () => {
  expect(contrast(dark['destructive'], dark['accent'])).toBeGreaterThanOrEqual(2);
});

it('a book in the dark is dimmed paper with ink on a dark table', () => {
  const file = '../features/flipbook/flipbook.css';
  const book = readColors(file, "[data-theme='dark'] :is(.flipbook, .book-list)");
  const paper = readColors(file, "[data-theme='dark'] .book-paper");
  for (const text of ['ink', 'muted'])
    expect(contrast(paper[text], book['page']), text).toBeGreaterThanOrEqual(4.5);
  expect(contrast(book['page'], book['table'])).toBeGreaterThanOrEqual(7);
});

it('what has left does not flash before it is unmounted', () => {
  const css = readFileSync(join(import.meta.dirname, 'theme.css'), 'utf8');
  const leaving = [...css.matchAll(/--animate-(fade-out|sink): (.+);/g)].map(([, , animation]) => animation);
  expect(leaving).toEqual([expect.stringContaining('forwards'), expect.stringContaining('forwards')]);
});
