import { seededRandom, type Random } from '../seeded-random.ts';
import type { Svg } from './svg.ts';

export const SHAPES = {
  landscape: [1600, 1200],
  portrait: [1200, 1600],
  square: [1400, 1400],
  wide: [1600, 900],
  panorama: [2400, 960],
} as const;
export type Shape = keyof typeof SHAPES;

/** The light of a picture: each scene has its colors for it. */
export type Light = 'day' | 'gold' | 'dusk' | 'night';

/** What a scene is drawn into: its size, its light, its own luck, and the gradients it asks for. */
export type Frame = {
  w: number;
  h: number;
  /** A hundredth of the shorter side: things keep their size in every shape. */
  u: number;
  light: Light;
  random: Random;
  /** Fills from one color to the next: downwards, or with an angle of 90 to the right. */
  blend(colors: readonly string[], angle?: number): string;
  /** From the middle outwards. Colors may be `#rrggbbaa`. */
  glow(colors: readonly string[]): string;
  /** The whole picture, in so much of its full size. */
  finish(content: Svg, scale: number): Svg;
};

export function createFrame(shape: Shape, light: Light, seed: number): Frame {
  const [w, h] = SHAPES[shape];
  const definitions: Svg[] = [];
  const define = (make: (id: string) => Svg) => {
    const id = `fill${definitions.length}`;
    definitions.push(make(id));
    return `url(#${id})`;
  };
  return {
    w,
    h,
    u: Math.min(w, h) / 100,
    light,
    random: seededRandom(seed),
    blend: (colors, angle = 0) =>
      define(
        (id) =>
          `<linearGradient id="${id}" x1="0" y1="0" x2="${angle === 90 ? 1 : 0}" y2="${angle === 90 ? 0 : 1}">${stops(colors)}</linearGradient>`,
      ),
    glow: (colors) => define((id) => `<radialGradient id="${id}">${stops(colors)}</radialGradient>`),
    finish: (content, scale) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.round(w * scale)}" height="${Math.round(h * scale)}" viewBox="0 0 ${w} ${h}"><defs>${definitions.join('')}${FORM}</defs>${content}</svg>`,
  };
}

function stops(colors: readonly string[]): Svg {
  return colors
    .map((color, index) => {
      const opacity = color.length === 9 ? parseInt(color.slice(7), 16) / 255 : 1;
      const offset = index / Math.max(1, colors.length - 1);
      return `<stop offset="${offset}" stop-color="${color.slice(0, 7)}" stop-opacity="${opacity}"/>`;
    })
    .join('');
}

/** Gives flat shapes a body: `form` shades the side away from the light, and lightens the one that meets it. */
const FORM = `<filter id="form" x="-20%" y="-20%" width="140%" height="140%">
<feGaussianBlur in="SourceAlpha" stdDeviation="3.2" result="soft"/>
<feOffset in="soft" dx="-4" dy="-3.5" result="lit"/>
<feComposite in="SourceAlpha" in2="lit" operator="out" result="away"/>
<feFlood flood-color="#2b1530" flood-opacity="0.34"/><feComposite in2="away" operator="in" result="shade"/>
<feOffset in="soft" dx="3" dy="3.4" result="dark"/>
<feComposite in="SourceAlpha" in2="dark" operator="out" result="towards"/>
<feFlood flood-color="#fff1d6" flood-opacity="0.2"/><feComposite in2="towards" operator="in" result="shine"/>
<feMerge><feMergeNode in="SourceGraphic"/><feMergeNode in="shade"/><feMergeNode in="shine"/></feMerge></filter>
<filter id="soft" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="14"/></filter>
<filter id="haze" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="5"/></filter>`;
