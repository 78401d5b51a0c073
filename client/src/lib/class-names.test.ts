import { readFileSync } from 'node:fs';
import { extendTailwindMerge } from 'tailwind-merge';
import { describe, expect, it } from 'vitest';
import { classNames } from './class-names.ts';

const theme = readFileSync(new URL('../app/theme.css', import.meta.url), 'utf8');
/** The theme's names, e.g. `small` for --text-small, without --text-small--line-height. */
const namesOf = (token: string) =>
  [...theme.matchAll(new RegExp(`^ *--${token}-((?:\\w|-(?!-))+):`, 'gm'))].map(([, name]) => name!);
const themeNames = Object.fromEntries(
  ['text', 'radius', 'shadow', 'ease', 'animate'].map((token) => [token, namesOf(token)]),
);

describe('classNames', () => {
  it('skips falsy values', () => {
    expect(classNames('grid', false, undefined, null, 'gap-2')).toBe('grid gap-2');
  });

  it('lets the last class of a property win', () => {
    expect(classNames('min-h-11 px-5 text-body', 'px-0 text-small')).toBe('min-h-11 px-0 text-small');
    expect(classNames('px-5 py-2', 'p-0')).toBe('p-0');
    expect(classNames('px-5', 'sm:px-0')).toBe('px-5 sm:px-0');
  });

  it.each([
    ['text', 'text-wrap'],
    ['radius', 'ring-1'],
    ['shadow', 'ring-1'],
    ['ease', 'duration-150'],
    ['animate', 'transition-colors'],
  ])("knows the theme's names for --%s", (token, other) => {
    const prefix = token === 'radius' ? 'rounded' : token;
    const names = namesOf(token).map((name) => `${prefix}-${name}`);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      expect(classNames(name, other)).toBe(`${name} ${other}`);
      for (const later of names) expect(classNames(name, later)).toBe(later);
    }
  });

  it('keeps size, shadow and color classes together', () => {
    const colors = namesOf('color');
    expect(colors).toContain('muted');
    for (const color of colors)
      for (const size of namesOf('text')) {
        expect(classNames(`text-${size}`, `text-${color}`)).toBe(`text-${size} text-${color}`);
        expect(classNames(`text-${color}`, `text-${size}`)).toBe(`text-${color} text-${size}`);
      }
    for (const shadow of namesOf('shadow'))
      expect(classNames(`shadow-${shadow}`, 'shadow-ink')).toBe(`shadow-${shadow} shadow-ink`);
  });
});

it("merges any two classes of the app like tailwind-merge's default configuration", () => {
  const whole = extendTailwindMerge({ extend: { theme: themeNames } });
  const sources = import.meta.glob<string>(['../**/*.tsx', '!**/*.test.tsx'], {
    eager: true,
    query: '?raw',
    import: 'default',
  });
  const words = Object.values(sources)
    // A comment's words are no classes, e.g. "transition".
    .map((source) => source.replace(/(?<![\w/])\/\*[^]*?\*\/|(?<!:)\/\/.*/g, ''))
    .flatMap((source) => source.match(/(?<=["'` ])[^"'`\s]+(?=["'` ])/g) ?? [])
    // Modifiers like `hover:` make no difference.
    .map((word) => word.replace(/^(?:(?:[\w@*/-]|\[[^\]]*\]|\([^)]*\))+:)+/, ''));
  const classes = [...new Set(words)].filter((word) => whole(`${word} ${word}`) === word);
  expect(classes).toEqual(expect.arrayContaining(['px-5', 'min-h-11', 'text-small', '-mx-5']));

  const replaces = (first: string, second: string) => whole(`${first} ${second}`) === second;
  /** One class per group. */
  const groups: string[] = [];
  for (const name of classes)
    if (!groups.some((other) => replaces(name, other) && replaces(other, name))) groups.push(name);
  const differences = new Set<string>();
  for (const name of classes)
    for (const other of groups)
      for (const pair of [`${name} ${other}`, `${other} ${name}`])
        if (name !== other && classNames(pair) !== whole(pair)) differences.add(pair);
  expect([...differences]).toEqual([]);
});
