import { FLIPBOOK_PAGE } from '#shared/album/flipbook';
import { CAPTION_SIZES, type CaptionSize } from '#shared/album/flipbook-caption';
import type { Face } from '../pdf-text/font-library.ts';

export const colors = {
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

/** Size and leading are in points. */
export type TextStyle = { face: Face; size: number; leading: number; color: string; isBalanced?: boolean };

export const styles = {
  coverTitle: { face: 'display', size: 46, leading: 52, color: colors.foil },
  coverLine: { face: 'text', size: 15, leading: 22, color: colors.foil },
  coverNote: { face: 'italic', size: 16, leading: 24, color: colors.foil },
  smallNote: { face: 'text', size: 7, leading: 10, color: colors.foil },
  number: { face: 'display', size: 9, leading: 12, color: colors.muted },
  details: { face: 'text', size: 10.5, leading: 16, color: colors.muted },
  footer: { face: 'text', size: 9, leading: 12, color: colors.muted },
  missing: { face: 'text', size: 13, leading: 18, color: colors.muted },
} as const satisfies Record<string, TextStyle>;

/** A long title uses the first that fits the cover. */
export const coverTitleStyles: readonly TextStyle[] = [
  styles.coverTitle,
  { ...styles.coverTitle, size: 34, leading: 40, isBalanced: true },
  { ...styles.coverTitle, size: 26, leading: 30, isBalanced: true },
  { ...styles.coverTitle, size: 20, leading: 24, isBalanced: true },
  { ...styles.coverTitle, size: 13, leading: 16, isBalanced: true },
];

const leadings: Record<CaptionSize, number> = { large: 52, middle: 40, small: 31 };

export function displayStyle(size: CaptionSize): TextStyle {
  const { size: points } = CAPTION_SIZES[size];
  return { face: 'display', size: points, leading: leadings[size], color: colors.ink, isBalanced: true };
}

/** Long captions use the largest style that fits their page. Styles for fewer characters are skipped without a layout. */
export const textStyles: readonly (TextStyle & { maxCharacters: number })[] = [
  { face: 'text', size: 15, leading: 23, color: colors.ink, maxCharacters: 1500 },
  { face: 'text', size: 12.5, leading: 19, color: colors.ink, maxCharacters: 2500 },
  { face: 'text', size: 10.5, leading: 16, color: colors.ink, maxCharacters: Infinity },
];
