import type { Frame } from './frame.ts';
import { between, pick } from '../seeded-random.ts';
import { at, blob, circle, ellipse, group, line, path, rect, through, type Point, type Svg } from './svg.ts';

const SKIES: Record<Frame['light'], readonly [string, string, string]> = {
  day: ['#8fc6dc', '#cfe6e6', '#fdf1da'],
  gold: ['#ef9d74', '#f8cd97', '#fff0cc'],
  dusk: ['#54588e', '#b97d9c', '#f7c59b'],
  night: ['#151c40', '#2b3866', '#55648f'],
};

export function sky(f: Frame, down = f.h): Svg {
  const { w, h, u, light, random } = f;
  const base = rect(0, 0, w, h, SKIES[light][2]) + rect(0, 0, w, down, f.blend(SKIES[light]));
  if (light === 'night') return base + stars(f, down) + moon(f, w * 0.78, h * 0.17);
  const side = random() < 0.5 ? 0.22 : 0.78;
  const sun =
    light === 'day'
      ? circle(w * side, down * 0.3, 30 * u, f.glow(['#fffbe8dd', '#fffbe800'])) +
        circle(w * side, down * 0.3, 6 * u, '#fff8dc')
      : circle(w * side, down * 0.72, 60 * u, f.glow(['#fff3c4dd', '#ffdf9a55', '#ffdf9a00'])) +
        circle(w * side, down * 0.72, 8 * u, '#fff4cf');
  return base + sun + clouds(f, down);
}

function moon(f: Frame, x: number, y: number): Svg {
  const { u } = f;
  return (
    circle(x, y, 36 * u, f.glow(['#fff6d8cc', '#fff6d855', '#fff6d800'])) +
    circle(x, y, 6.5 * u, '#fffdf2') +
    circle(x - 1.6 * u, y - 1.4 * u, 1.2 * u, '#efe0b4') +
    circle(x + 2 * u, y + 1.8 * u, 1.7 * u, '#efe0b4')
  );
}

function stars({ w, u, random }: Frame, down: number): Svg {
  return Array.from({ length: 110 }, () =>
    circle(random() * w, random() * down * 0.9, between(random, 0.1, 0.42) * u, '#fff6dc', {
      opacity: between(random, 0.4, 1),
    }),
  ).join('');
}

function clouds({ w, u, random, light }: Frame, down: number): Svg {
  const color = { day: '#ffffff', gold: '#ffe3c0', dusk: '#e9a9ae', night: '#3c4a7a' }[light];
  return Array.from({ length: Math.round(w / (u * 50)) + 1 }, () => {
    const [x, y] = [random() * w, between(random, 0.12, 0.5) * down];
    const puffs = Array.from({ length: 4 }, (_, index) =>
      path(blob(random, x + (index - 1.5) * 7 * u, y - (index % 2) * 2 * u, 8 * u, 3.4 * u), color),
    );
    return group(puffs.join(''), { opacity: 0.75 });
  }).join('');
}

/** Rolling land from side to side, its upper edge about at `y`. */
export function hills({ w, h, random }: Frame, y: number, height: number, fill: string): Svg {
  const edge = Array.from({ length: 7 }, (_, index): Point => [
    (index / 6) * w * 1.1 - w * 0.05,
    y + between(random, -height, height),
  ]);
  return path(`${through(edge)} L${w},${h} L0,${h} Z`, fill);
}

export function pine(
  { random }: Frame,
  x: number,
  y: number,
  size: number,
  color: string,
  snow?: string,
): Svg {
  const tier = (top: number, bottom: number, half: number) =>
    path(
      `M0,${-top} C${half * 0.3},${-top * 0.8 - bottom * 0.2} ${half * 0.7},${-bottom - 5} ${half},${-bottom} C${half * 0.4},${-bottom + 5} ${-half * 0.4},${-bottom + 5} ${-half},${-bottom} C${-half * 0.7},${-bottom - 5} ${-half * 0.3},${-top * 0.8 - bottom * 0.2} 0,${-top} Z`,
      color,
    ) +
    (snow
      ? path(
          `M0,${-top} C${half * 0.2},${-top + 8} ${half * 0.4},${-bottom - 12} ${half * 0.62},${-bottom - 8} C${half * 0.2},${-bottom - 12} ${-half * 0.1},${-top + 12} 0,${-top} Z`,
          snow,
          { opacity: 0.85 },
        )
      : '');
  return at(x, y, rect(-3, -14, 6, 14, '#6a4636') + tier(60, 12, 26) + tier(80, 36, 21) + tier(98, 60, 15), {
    scale: size / 100,
    turn: between(random, -2, 2),
  });
}

/** A tree with a round head of leaves in these colors, the darkest first. */
export function tree(
  { random }: Frame,
  x: number,
  y: number,
  size: number,
  leaves: readonly [string, string, string],
): Svg {
  const trunk = path(
    'M-5,0 C-3,-16 -4,-30 -8,-42 L-3,-38 L0,-50 L4,-37 L10,-44 C5,-30 4,-16 7,0 Z',
    '#71503d',
  );
  const crown = leaves.map((color, index) =>
    Array.from({ length: 6 - index }, () =>
      path(
        blob(
          random,
          between(random, -24, 24) - index * 5,
          -66 + between(random, -18, 16) - index * 6,
          19 - index * 4,
          16 - index * 3.6,
        ),
        color,
      ),
    ).join(''),
  );
  return at(x, y, trunk + crown.join(''), { scale: size / 100 });
}

/** Blades of grass along the ground. */
export function grass(
  { w, u, random }: Frame,
  y: number,
  depth: number,
  colors: readonly [string, ...string[]],
  count = 120,
): Svg {
  return Array.from({ length: count }, () => {
    const [x, foot] = [random() * w, y + random() * depth];
    const [height, lean] = [between(random, 2, 5.4) * u, between(random, -1.6, 1.6) * u];
    return line(
      `M${x},${foot} Q${x},${foot - height * 0.6} ${x + lean},${foot - height}`,
      pick(random, colors),
      0.42 * u,
    );
  }).join('');
}

const PETALS = ['#f3a6b0', '#fff5e6', '#f7c85c', '#b9a2dd', '#ef7f64'] as const;

export function flower(
  { random, u }: Frame,
  x: number,
  y: number,
  size: number,
  color: string = pick(random, PETALS),
): Svg {
  const height = between(random, 1.6, 2.8) * size;
  const lean = between(random, -0.5, 0.5) * size;
  const petals = Array.from({ length: 6 }, (_, index) =>
    at(0, 0, ellipse(0, -size * 0.34, size * 0.2, size * 0.32, color), { turn: index * 60 + lean }),
  ).join('');
  const stem = line(`M${x},${y} Q${x},${y - height / 2} ${x + lean},${y - height}`, '#5e8a4c', 0.45 * u);
  const leaf = at(
    x,
    y - height * 0.35,
    path(
      `M0,0 C${size * 0.3},${-size * 0.5} ${size * 0.7},${-size * 0.4} ${size * 0.8},${-size * 0.5} C${size * 0.6},${-size * 0.1} ${size * 0.3},0 0,0 Z`,
      '#6f9c58',
    ),
    { flip: lean < 0 },
  );
  return (
    stem +
    leaf +
    at(x + lean, y - height, petals + circle(0, 0, size * 0.19, color === '#f7c85c' ? '#b9693a' : '#f4c04e'))
  );
}

export function flowers(f: Frame, y: number, depth: number, count: number, size: number): Svg {
  const places = Array.from({ length: count }, (): Point => [f.random() * f.w, y + f.random() * depth]).sort(
    (a, b) => a[1] - b[1],
  );
  return places.map(([x, foot]) => flower(f, x, foot, size * between(f.random, 0.7, 1.2))).join('');
}

export function leaf(x: number, y: number, size: number, color: string, turn: number): Svg {
  return at(
    x,
    y,
    path('M0,-10 C8,-6 8,4 0,10 C-8,4 -8,-6 0,-10 Z', color) + line('M0,-8 L0,12', '#00000033', 0.9),
    { scale: size / 20, turn },
  );
}

/** Out of focus, in the corner, as whatever stood before the lens. */
export function nearLeaves(
  { w, h, u, random }: Frame,
  colors: readonly [string, ...string[]],
  corner: 'left' | 'right',
): Svg {
  const x = corner === 'left' ? 0 : w;
  const blades = Array.from({ length: 7 }, (_, index) =>
    at(x, h + 4 * u, path('M0,0 C-5,-14 -4,-30 2,-44 C8,-30 8,-14 0,0 Z', pick(random, colors)), {
      scale: between(random, 0.7, 1.15) * u,
      turn: (index - 3) * 17 + (corner === 'left' ? 22 : -22),
    }),
  );
  return group(blades.join(''), { filter: 'url(#haze)', opacity: 0.95 });
}

export function falling({ w, h, u, random }: Frame, kind: 'snow' | 'leaves' | 'rain' | 'petals'): Svg {
  const count = { snow: 150, leaves: 34, rain: 130, petals: 46 }[kind];
  return Array.from({ length: count }, () => {
    const [x, y] = [random() * w, random() * h];
    switch (kind) {
      case 'snow':
        return circle(x, y, between(random, 0.25, 0.95) * u, '#ffffff', {
          opacity: between(random, 0.5, 0.95),
        });
      case 'rain':
        return line(`M${x},${y} l${-0.8 * u},${4 * u}`, '#e9f3f6', 0.22 * u, { opacity: 0.6 });
      case 'leaves':
        return leaf(
          x,
          y,
          between(random, 2, 3.8) * u,
          pick(random, ['#d9722e', '#e9a13b', '#b9472c', '#c99a3a']),
          random() * 360,
        );
      case 'petals':
        return ellipse(x, y, 0.8 * u, 0.5 * u, '#fbd5da', {
          transform: `rotate(${Math.round(random() * 90)} ${Math.round(x)} ${Math.round(y)})`,
        });
    }
  }).join('');
}

/** The hour over everything: what the eye takes for light. */
export function tint({ w, h, light }: Frame): Svg {
  const colors = {
    day: ['#ffe9c2', 0.1],
    gold: ['#ffb765', 0.3],
    dusk: ['#8f6da8', 0.36],
    night: ['#8c97d6', 0.5],
  } as const;
  const [color, opacity] = colors[light];
  return rect(0, 0, w, h, color, { opacity, style: 'mix-blend-mode:multiply' });
}

export function butterfly(x: number, y: number, size: number, color: string, turn: number): Svg {
  const wing = path('M0,0 C-4,-12 -14,-10 -12,-3 C-11,1 -4,2 0,0 C-5,2 -9,6 -6,9 C-3,10 0,5 0,0 Z', color);
  return at(x, y, wing + group(wing, { transform: 'scale(-0.8 1)' }) + line('M0,-3 L0,6', '#4a3430', 1.4), {
    scale: size / 20,
    turn,
  });
}
