import { FLIPBOOK_PAGE } from '#shared/flipbook';
import type { Face } from '../text/font-library.ts';

/** The product's light colours, and the cloth that the book is bound in. */
export const colours = {
  paper: '#fdf9f2',
  print: '#fffdf8',
  well: '#ebdfcd',
  ink: '#2e1f16',
  muted: '#6a5546',
  hairline: '#dfd0bb',
  accent: '#b0452a',
  cloth: '#7f3624',
  foil: '#f1d9b0',
} as const;

export const page = FLIPBOOK_PAGE;

/** How a text is set. Size and leading are in points. */
export type TextStyle = { face: Face; size: number; leading: number; colour: string };

export const styles = {
  coverTitle: { face: 'display', size: 46, leading: 52, colour: colours.foil },
  coverLine: { face: 'text', size: 15, leading: 22, colour: colours.foil },
  coverNote: { face: 'italic', size: 16, leading: 24, colour: colours.foil },
  smallNote: { face: 'text', size: 7, leading: 10, colour: colours.foil },
  number: { face: 'display', size: 46, leading: 50, colour: colours.accent },
  tags: { face: 'text', size: 10.5, leading: 16, colour: colours.muted },
  date: { face: 'text', size: 11.5, leading: 18, colour: colours.ink },
  footer: { face: 'text', size: 9, leading: 12, colour: colours.muted },
  missing: { face: 'text', size: 13, leading: 18, colour: colours.muted },
} as const satisfies Record<string, TextStyle>;

/** A caption is set in the largest of these in which it fits its page; with more characters one is not even tried. */
export const captionStyles: readonly (TextStyle & { atMost: number })[] = [
  { face: 'display', size: 30, leading: 38, colour: colours.ink, atMost: 200 },
  { face: 'display', size: 24, leading: 32, colour: colours.ink, atMost: 300 },
  { face: 'display', size: 19, leading: 27, colour: colours.ink, atMost: 400 },
  { face: 'text', size: 15, leading: 23, colour: colours.ink, atMost: 1500 },
  { face: 'text', size: 12.5, leading: 19, colour: colours.ink, atMost: 2500 },
  { face: 'text', size: 10.5, leading: 16, colour: colours.ink, atMost: Infinity },
];
