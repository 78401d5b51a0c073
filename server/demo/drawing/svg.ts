import { between, type Random } from '../seeded-random.ts';

/** A piece of a drawing. */
export type Svg = string;
export type Point = readonly [x: number, y: number];
type Attributes = Record<string, string | number | undefined>;

function element(name: string, attributes: Attributes, content = ''): Svg {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  const text = given.map(([key, value]) => ` ${key}="${typeof value === 'number' ? round(value) : value}"`);
  return `<${name}${text.join('')}>${content}</${name}>`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

export function path(d: string, fill: string, more: Attributes = {}): Svg {
  return element('path', { d, fill, ...more });
}

export function line(d: string, color: string, width: number, more: Attributes = {}): Svg {
  const ends = { 'stroke-linecap': 'round', 'stroke-linejoin': 'round' };
  return element('path', { d, fill: 'none', stroke: color, 'stroke-width': width, ...ends, ...more });
}

export function ellipse(
  x: number,
  y: number,
  rx: number,
  ry: number,
  fill: string,
  more: Attributes = {},
): Svg {
  return element('ellipse', { cx: x, cy: y, rx, ry, fill, ...more });
}

export function circle(x: number, y: number, r: number, fill: string, more: Attributes = {}): Svg {
  return ellipse(x, y, r, r, fill, more);
}

export function rect(x: number, y: number, w: number, h: number, fill: string, more: Attributes = {}): Svg {
  return element('rect', { x, y, width: w, height: h, fill, ...more });
}

export function group(content: Svg, more: Attributes): Svg {
  return element('g', more, content);
}

export function at(x: number, y: number, content: Svg, { scale = 1, turn = 0, flip = false } = {}): Svg {
  const parts = [`translate(${round(x)} ${round(y)})`];
  if (turn) parts.push(`rotate(${round(turn)})`);
  if (scale !== 1 || flip) parts.push(`scale(${flip ? -scale : scale} ${scale})`);
  return group(content, { transform: parts.join(' ') });
}

/** A left half, and its mirror image. */
export function both(left: Svg): Svg {
  return left + group(left, { transform: 'scale(-1 1)' });
}

/** A soft line through the points (Catmull-Rom). */
export function through(points: readonly Point[], isClosed = false): string {
  const count = points.length;
  const pointAt = (index: number): Point =>
    points[isClosed ? (index + count) % count : Math.max(0, Math.min(count - 1, index))] ?? [0, 0];
  const [x, y] = pointAt(0);
  const parts = [`M${round(x)},${round(y)}`];
  for (let index = 0; index < (isClosed ? count : count - 1); index++) {
    const [before, from, to, after] = [
      pointAt(index - 1),
      pointAt(index),
      pointAt(index + 1),
      pointAt(index + 2),
    ];
    const control = [
      from[0] + (to[0] - before[0]) / 6,
      from[1] + (to[1] - before[1]) / 6,
      to[0] - (after[0] - from[0]) / 6,
      to[1] - (after[1] - from[1]) / 6,
    ].map(round);
    parts.push(`C${control.join(',')},${round(to[0])},${round(to[1])}`);
  }
  return parts.join('') + (isClosed ? 'Z' : '');
}

/** A round thing that no compass has drawn. */
export function blob(
  random: Random,
  x: number,
  y: number,
  rx: number,
  ry: number,
  wobble = 0.12,
  corners = 9,
): string {
  const points = Array.from({ length: corners }, (_, index): Point => {
    const angle = (index / corners) * 2 * Math.PI;
    const reach = 1 + between(random, -wobble, wobble);
    return [x + Math.cos(angle) * rx * reach, y + Math.sin(angle) * ry * reach];
  });
  return through(points, true);
}
