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
  cloth: '#933620',
  onCloth: '#fffaf3',
  foil: '#eec9a8',
} as const;

export const page = FLIPBOOK_PAGE;

/** How a text is set. Size and leading are in points. */
export type TextStyle = { face: Face; size: number; leading: number; colour: string };

export const styles = {
  coverTitle: { face: 'display', size: 60, leading: 64, colour: colours.onCloth },
  coverLine: { face: 'text', size: 15, leading: 22, colour: colours.onCloth },
  coverNote: { face: 'display', size: 15, leading: 20, colour: colours.foil },
  smallNote: { face: 'text', size: 7, leading: 10, colour: colours.foil },
  number: { face: 'display', size: 46, leading: 50, colour: colours.accent },
  tags: { face: 'text', size: 10.5, leading: 16, colour: colours.muted },
  date: { face: 'text', size: 11.5, leading: 18, colour: colours.ink },
  footer: { face: 'text', size: 9, leading: 12, colour: colours.muted },
  missing: { face: 'text', size: 13, leading: 18, colour: colours.muted },
} as const satisfies Record<string, TextStyle>;

/** A caption in the largest of these in which it fits its page. */
export const captionStyles: readonly [TextStyle, ...TextStyle[]] = [
  { face: 'display', size: 30, leading: 38, colour: colours.ink },
  { face: 'display', size: 24, leading: 32, colour: colours.ink },
  { face: 'display', size: 19, leading: 27, colour: colours.ink },
  { face: 'text', size: 15, leading: 23, colour: colours.ink },
  { face: 'text', size: 12.5, leading: 19, colour: colours.ink },
  { face: 'text', size: 10.5, leading: 16, colour: colours.ink },
];
