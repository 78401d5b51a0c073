import type { Frame } from './frame.ts';
import { flower, hills, pine, sky, tint, tree } from './nature.ts';
import { between, pick } from '../seeded-random.ts';
import { together, type Scene } from './scene.ts';
import { at, blob, both, circle, ellipse, group, line, path, rect, type Svg } from './svg.ts';

const WALLS = [
  ['#e9c9a8', '#dcb48f'],
  ['#c9d3c0', '#b3c1a8'],
  ['#e6bfae', '#d9a592'],
  ['#bccbd6', '#a3b6c6'],
  ['#e8d6a9', '#d9c188'],
] as const;

function wall(f: Frame, down: number): Svg {
  const [light, dark] = pick<readonly [string, string]>(f.random, WALLS);
  const stripe = 7 * f.u;
  const pattern = f.random() < 0.5;
  const lines = Array.from({ length: pattern ? Math.ceil(f.w / stripe) : 0 }, (_, index) =>
    rect(index * stripe, 0, stripe * 0.34, down, dark, { opacity: 0.35 }),
  ).join('');
  const sprigs = Array.from({ length: pattern ? 0 : 46 }, (_, index) => {
    const [row, column] = [Math.floor(index / 9), index % 9];
    return at(
      (column + (row % 2) * 0.5) * (f.w / 8),
      row * (down / 4.6) + 6 * f.u,
      line('M0,4 C0,0 1,-3 0,-6', dark, 0.9) +
        ellipse(-2, 0, 2, 1, dark) +
        ellipse(2, -2, 2, 1, dark) +
        circle(0, -7, 1.2, dark),
      { scale: f.u * 0.8 },
    );
  }).join('');
  return rect(0, 0, f.w, down, light) + lines + sprigs;
}

function floor(f: Frame, y: number, color = '#b9825a'): Svg {
  const boards = Array.from({ length: 9 }, (_, index) =>
    line(
      `M${(index / 8) * f.w},${y} L${(index / 8 - 0.5) * f.w * 1.9 + f.w / 2},${f.h}`,
      '#7a4f36',
      0.3 * f.u,
      { opacity: 0.5 },
    ),
  );
  return (
    rect(0, y, f.w, f.h - y, f.blend([color, '#d9a878'])) +
    boards.join('') +
    rect(0, y - 1.6 * f.u, f.w, 2 * f.u, '#f7ecd8')
  );
}

function picture(f: Frame, x: number, y: number, w: number, h: number): Svg {
  const { random, u } = f;
  return (
    rect(x, y, w, h, '#7a4f36', { rx: 0.5 * u }) +
    rect(x + u, y + u, w - 2 * u, h - 2 * u, '#fbf2e0') +
    path(
      blob(random, x + w * 0.5, y + h * 0.56, w * 0.26, h * 0.22),
      pick(random, ['#e07a5f', '#7a9e6b', '#5f86a8']),
    ) +
    circle(x + w * 0.66, y + h * 0.3, w * 0.08, '#f2c14e')
  );
}

function lamp(f: Frame, x: number, y: number, size: number): Svg {
  return at(
    x,
    y,
    circle(0, -80, 70, f.glow(['#fff0b8bb', '#ffe39a00'])) +
      line('M0,0 L0,-70', '#7a4f36', 2.6) +
      ellipse(0, 0, 12, 2.6, '#7a4f36') +
      path('M-13,-96 L13,-96 L22,-66 L-22,-66 Z', '#c8694b') +
      path('M-13,-96 L13,-96 L14,-92 L-14,-92 Z M-20.6,-70 L20.6,-70 L22,-66 L-22,-66 Z', '#fbe3ae'),
    { scale: (size / 100) * f.u },
  );
}

function plant(f: Frame, x: number, y: number, size: number, pot = '#c8694b'): Svg {
  const { random } = f;
  const leaves = Array.from({ length: 11 }, (_, index) =>
    at(
      0,
      -26,
      path('M0,0 C-9,-12 -8,-30 0,-44 C8,-30 9,-12 0,0 Z', pick(random, ['#5d8657', '#76a069', '#8cb57c'])),
      { turn: (index - 5) * 15, scale: between(random, 0.7, 1.15) },
    ),
  );
  return at(
    x,
    y,
    leaves.join('') +
      path('M-15,-28 L15,-28 L11,0 L-11,0 Z', pot) +
      rect(-17, -31, 34, 6, pot, { rx: 1.5 }) +
      rect(-17, -27, 34, 2, '#00000022'),
    { scale: (size / 100) * f.u },
  );
}

/** A view through a window: sky, hills and a tree, whatever the hour. */
function view(
  f: Frame,
  x: number,
  y: number,
  w: number,
  h: number,
  what: 'hills' | 'rain' | 'snow' = 'hills',
): Svg {
  const clip = `view${Math.round(x)}`;
  const outside: Frame = { ...f, w, h, u: f.u * 0.7 };
  const drops =
    what === 'rain'
      ? Array.from({ length: 70 }, () =>
          line(
            `M${f.random() * w},${f.random() * h} l0,${between(f.random, 1, 4) * f.u}`,
            '#eef6f8',
            0.35 * f.u,
            { opacity: 0.75 },
          ),
        ).join('')
      : '';
  const flakes =
    what === 'snow'
      ? Array.from({ length: 70 }, () =>
          circle(f.random() * w, f.random() * h, between(f.random, 0.3, 0.8) * f.u, '#ffffff'),
        ).join('')
      : '';
  const land =
    what === 'snow'
      ? hills(outside, h * 0.7, 3 * f.u, '#eef3f8') +
        [0.2, 0.5, 0.82].map((at) => pine(outside, w * at, h * 0.78, 24 * f.u, '#4d6b68', '#ffffff')).join('')
      : hills(outside, h * 0.66, 3 * f.u, what === 'rain' ? '#8a9a94' : '#94b387') +
        tree(outside, w * 0.74, h * 0.8, 32 * f.u, ['#6f9a6a', '#85ad76', '#9fc088']) +
        hills(outside, h * 0.8, 2 * f.u, what === 'rain' ? '#7d8f80' : '#7da56b');
  const above = what === 'rain' ? rect(0, 0, w, h, f.blend(['#8393a3', '#b4bfc6'])) : sky(outside, h * 0.8);
  return (
    `<clipPath id="${clip}"><rect width="${Math.round(w)}" height="${Math.round(h)}"/></clipPath>` +
    at(x, y, group(above + land + drops + flakes, { 'clip-path': `url(#${clip})` }))
  );
}

export const sofa: Scene = (f, cast, count) => {
  const { w, h, u, random } = f;
  const color = pick(random, ['#6f8f8a', '#b5654a', '#8a7a9c', '#d0a04e'] as const);
  const seat = h * 0.74;
  const wide = Math.min(w * 0.94, 150 * u);
  const left = (w - wide) / 2;
  const cushion = (x: number, fill: string, turn: number) =>
    at(
      x,
      seat - 1 * u,
      path(
        'M-14,-26 C-6,-23 6,-23 14,-26 C11,-16 11,-10 14,0 C6,-2 -6,-2 -14,0 C-11,-10 -11,-16 -14,-26 Z',
        fill,
      ) + circle(0, -13, 1.6, '#ffffff88'),
      { scale: u, turn },
    );
  return (
    wall(f, h) +
    picture(f, w * 0.2, h * 0.1, 20 * u, 24 * u) +
    picture(f, w * 0.2 + 24 * u, h * 0.14, 14 * u, 14 * u) +
    lamp(f, w * 0.88, seat + 20 * u, 100) +
    floor(f, h * 0.86) +
    rect(left + 4 * u, seat - 36 * u, wide - 8 * u, 46 * u, color, { rx: 9 * u }) +
    rect(left + 4 * u, seat - 36 * u, wide - 8 * u, 46 * u, f.blend(['#ffffff33', '#00000033']), {
      rx: 9 * u,
    }) +
    line(`M${w / 2},${seat - 33 * u} L${w / 2},${seat}`, '#00000033', 0.6 * u) +
    cushion(left + 22 * u, '#f2d6a0', -8) +
    cushion(left + wide - 24 * u, '#e59a86', 10) +
    rect(left + 6 * u, seat - 4 * u, wide - 12 * u, 15 * u, color, { rx: 4 * u }) +
    rect(left + 6 * u, seat - 4 * u, wide - 12 * u, 15 * u, f.blend(['#ffffff44', '#00000022']), {
      rx: 4 * u,
    }) +
    [left, left + wide - 15 * u]
      .map((x) => rect(x, seat - 18 * u, 15 * u, 33 * u, color, { rx: 6.5 * u, filter: 'url(#form)' }))
      .join('') +
    rect(left + 12 * u, seat + 14 * u, 4 * u, 6 * u, '#5b3a2e') +
    rect(left + wide - 16 * u, seat + 14 * u, 4 * u, 6 * u, '#5b3a2e') +
    together(f, cast, count, seat + 2 * u, 46 * u) +
    ellipse(w / 2, h * 0.965, 50 * u, 5 * u, '#e8d3b0') +
    ellipse(w / 2, h * 0.965, 44 * u, 3.8 * u, '#d98e6a', { opacity: 0.6 }) +
    tint(f)
  );
};

function windowScene(what: 'hills' | 'rain' | 'snow'): Scene {
  return (f, cast, count) => {
    const { w, h, u } = f;
    const [x, y, wide, high] = [w * 0.14, h * 0.08, w * 0.72, h * 0.66];
    const sill = y + high;
    const frame = '#fbf3e4';
    const curtain = both(
      path(
        `M${-w * 0.52},${-2 * u} L${-w * 0.3},${-2 * u} C${-w * 0.31},${h * 0.3} ${-w * 0.36},${h * 0.42} ${-w * 0.43},${h * 0.5} C${-w * 0.4},${h * 0.64} ${-w * 0.41},${h * 0.8} ${-w * 0.42},${h} L${-w * 0.52},${h} Z`,
        pick(f.random, ['#e3a48a', '#9db59a', '#d9b36a', '#b0a3c4']),
      ) +
        line(
          `M${-w * 0.46},0 C${-w * 0.455},${h * 0.2} ${-w * 0.47},${h * 0.36} ${-w * 0.46},${h * 0.46} M${-w * 0.38},0 C${-w * 0.385},${h * 0.22} ${-w * 0.41},${h * 0.36} ${-w * 0.44},${h * 0.47}`,
          '#00000022',
          0.7 * u,
        ) +
        line(`M${-w * 0.5},${h * 0.5} L${-w * 0.41},${h * 0.5}`, '#fbf3e4', 1.6 * u),
    );
    return (
      wall(f, h) +
      rect(x - 3 * u, y - 3 * u, wide + 6 * u, high + 6 * u, frame, { rx: u }) +
      view(f, x, y, wide, high, what) +
      rect(x + wide / 2 - 0.9 * u, y, 1.8 * u, high, frame) +
      rect(x, y + high * 0.36, wide, 1.6 * u, frame) +
      rect(x - 8 * u, sill, wide + 16 * u, 5 * u, '#fdf7ea', { rx: u }) +
      rect(x - 8 * u, sill + 4 * u, wide + 16 * u, 1.4 * u, '#00000022') +
      plant(f, x + 8 * u, sill + u, 46) +
      at(
        x + wide - 9 * u,
        sill + u,
        path('M-6,0 L-7,-12 L7,-12 L6,0 Z', '#5f86a8') + line('M7,-10 C12,-10 12,-3 6.4,-3', '#5f86a8', 1.6),
        { scale: u },
      ) +
      together(f, cast, count, sill + 2.4 * u, 48 * u) +
      at(w / 2, 0, curtain) +
      tint(f)
    );
  };
}
export const windowSill = windowScene('hills');
export const rainyWindow = windowScene('rain');
export const snowyWindow = windowScene('snow');

export const kitchen: Scene = (f, cast, count) => {
  const { w, h, u } = f;
  const tiles = Array.from({ length: 6 * 16 }, (_, index) => {
    const [row, column] = [Math.floor(index / 16), index % 16];
    const edge = (at: number) => h * 0.66 + (at * 4.2 + at * at * 0.75) * u;
    const spread = (at: number) => 12 * u * (1 + at * 0.17);
    const [near, far] = [spread(row + 1), spread(row)];
    const [left, right] = [column - 8, column - 7];
    const corners = `M${w / 2 + left * far},${edge(row)} L${w / 2 + right * far},${edge(row)} L${w / 2 + right * near},${edge(row + 1)} L${w / 2 + left * near},${edge(row + 1)} Z`;
    return (row + column) % 2 ? path(corners, '#dd9178') : '';
  });
  const cupboard = (x: number) =>
    rect(x, h * 0.36, 30 * u, h * 0.3, '#7f9f97', { rx: u }) +
    rect(x + 2 * u, h * 0.36 + 2 * u, 26 * u, h * 0.3 - 4 * u, '#93b1a8', { rx: u }) +
    circle(x + 25 * u, h * 0.5, u, '#f2d6a0');
  return (
    rect(0, 0, w, h, '#f4e6cb') +
    Array.from({ length: 60 }, (_, index) =>
      rect(
        (index % 12) * (w / 12) + 0.3 * u,
        Math.floor(index / 12) * 7 * u + 0.3 * u,
        w / 12 - 0.6 * u,
        6.4 * u,
        '#fbf4e4',
      ),
    ).join('') +
    Array.from({ length: Math.ceil(w / (31 * u)) }, (_, index) => cupboard(index * 31 * u)).join('') +
    rect(0, h * 0.34, w, 3.4 * u, '#c98e5f') +
    at(
      w * 0.16,
      h * 0.34,
      path('M-12,0 C-13,-16 13,-16 12,0 Z', '#c8553d') +
        rect(-14, -2.4, 28, 2.4, '#a8442f') +
        line('M-14,-8 C-19,-8 -19,-4 -14,-4', '#c8553d', 2) +
        [-5, 1, 6].map((x) => line(`M${x},-19 c-3,-4 3,-6 0,-11`, '#ffffff', 1.3, { opacity: 0.7 })).join(''),
      { scale: u },
    ) +
    plant(f, w * 0.84, h * 0.34, 34, '#fbf4e4') +
    at(
      w * 0.5,
      h * 0.34,
      rect(-8, -17, 7, 17, '#f2c98a', { rx: 2 }) +
        rect(1, -13, 6, 13, '#e59a86', { rx: 2 }) +
        rect(-9, -19, 9, 3, '#8a5a3c', { rx: 1 }),
      { scale: u },
    ) +
    rect(0, h * 0.66, w, h, '#f7e9d0') +
    tiles.join('') +
    together(f, cast, count, h * 0.9, 50 * u, w * 0.44) +
    at(
      w * 0.78,
      h * 0.92,
      ellipse(0, 0, 17, 3.4, '#2b153044') +
        ellipse(0, -9, 14, 3.6, '#3d6f8f') +
        path('M-12,-8 C-8,-13 8,-13 12,-8 Z', '#8a5a3c') +
        path('M-14,-9 L-17,-0.4 C-8,2.4 8,2.4 17,-0.4 L14,-9 C8,-5.4 -8,-5.4 -14,-9 Z', '#5f93b3'),
      { scale: u },
    ) +
    tint(f)
  );
};

/** From above: a patchwork quilt, and somebody curled up on it. */
export const quilt: Scene = (f, cast, count) => {
  const { w, h, u, random } = f;
  const side = 17 * u;
  const cloth = ['#e8c39e', '#c9d3c0', '#e59a86', '#f4e2bd', '#9db3bf', '#d9a85c', '#b78fa0'] as const;
  const squares = Array.from({ length: Math.ceil(w / side + 6) * Math.ceil(h / side + 6) }, (_, index) => {
    const columns = Math.ceil(w / side + 6);
    const [x, y] = [(index % columns) * side, Math.floor(index / columns) * side];
    const fill = pick(random, cloth);
    const kind = Math.floor(random() * 4);
    const mark =
      kind === 0
        ? circle(x + side / 2, y + side / 2, side * 0.22, '#fff8ea', { opacity: 0.8 })
        : kind === 1
          ? path(`M${x},${y} L${x + side},${y} L${x},${y + side} Z`, '#fff8ea', { opacity: 0.5 })
          : kind === 2
            ? [0.25, 0.5, 0.75]
                .map((part) =>
                  line(`M${x + side * part},${y + u} v${side - 2 * u}`, '#fff8ea', 0.8 * u, { opacity: 0.6 }),
                )
                .join('')
            : [0.28, 0.72]
                .flatMap((a) =>
                  [0.28, 0.72].map((b) =>
                    circle(x + side * a, y + side * b, 1.2 * u, '#fff8ea', { opacity: 0.8 }),
                  ),
                )
                .join('');
    return (
      rect(x, y, side, side, fill) +
      mark +
      rect(x, y, side, side, 'none', {
        stroke: '#7a4f3655',
        'stroke-width': 0.28 * u,
        'stroke-dasharray': `${u} ${0.9 * u}`,
      })
    );
  });
  return (
    group(squares.join(''), {
      transform: `translate(${Math.round(-w * 0.12)} ${Math.round(-h * 0.02)}) rotate(-9)`,
    }) +
    path(
      `M0,0 L${w},0 L${w},${h * 0.16} C${w * 0.7},${h * 0.25} ${w * 0.3},${h * 0.2} 0,${h * 0.26} Z`,
      '#fdf6e9',
    ) +
    path(`M0,${h * 0.2} C${w * 0.3},${h * 0.15} ${w * 0.7},${h * 0.2} ${w},${h * 0.11}`, 'none', {
      stroke: '#e6d5bb',
      'stroke-width': 0.8 * u,
    }) +
    ellipse(w * 0.52, h * 0.68, 46 * u, 9 * u, '#2b1530', { opacity: 0.28, filter: 'url(#soft)' }) +
    together(f, cast, count, h * 0.7, (76 * u) / (count > 1 ? 1.35 : 1)) +
    tint(f)
  );
};

export const bath: Scene = (f, cast, count) => {
  const { w, h, u, random } = f;
  const rim = h * 0.6;
  const half = Math.min(w * 0.44, 62 * u);
  const bubbles = Array.from({ length: 46 }, () => {
    const [x, y, r] = [
      w / 2 + between(random, -1, 1) * half * 0.92,
      rim + between(random, -5, 3) * u,
      between(random, 2, 6) * u,
    ];
    return (
      circle(x, y, r, '#ffffff', { opacity: 0.93 }) + circle(x - r * 0.3, y - r * 0.3, r * 0.26, '#dcecf4')
    );
  });
  const afloat = Array.from({ length: 12 }, () => {
    const [x, y, r] = [random() * w, random() * h * 0.5, between(random, 1, 3) * u];
    return (
      circle(x, y, r, '#ffffff', { 'fill-opacity': 0.25, stroke: '#ffffff', 'stroke-width': 0.35 * u }) +
      circle(x - r * 0.35, y - r * 0.35, r * 0.22, '#ffffff')
    );
  });
  const duck = at(
    w / 2 + half * 0.66,
    rim - 2 * u,
    path('M-8,0 C-12,-8 -4,-9 0,-6 C1,-14 12,-13 10,-5 C12,-1 8,3 0,3 C-4,3 -7,2 -8,0 Z', '#f6c945') +
      path('M9.4,-8 L14,-6.4 L9.6,-5 Z', '#e5803a') +
      circle(6.4, -8.6, 0.9, '#33232b'),
    { scale: u },
  );
  return (
    rect(0, 0, w, h, '#a9cbc8') +
    Array.from({ length: 80 }, (_, index) =>
      rect(
        (index % 10) * (w / 10) + 0.35 * u,
        Math.floor(index / 10) * (h * 0.1) + 0.35 * u,
        w / 10 - 0.7 * u,
        h * 0.1 - 0.7 * u,
        pick(random, ['#bcd9d4', '#b4d3cf', '#c6dfd9']),
      ),
    ).join('') +
    line(
      `M${w * 0.86},${rim} L${w * 0.86},${h * 0.24} C${w * 0.86},${h * 0.16} ${w * 0.74},${h * 0.16} ${w * 0.74},${h * 0.22}`,
      '#d9a85c',
      2 * u,
    ) +
    path(`M${w * 0.74 - 6 * u},${h * 0.22} h${12 * u} l${-3 * u},${-4 * u} h${-6 * u} Z`, '#d9a85c') +
    rect(0, h * 0.86, w, h, '#e8d3b0') +
    together(f, cast, count, rim - 3 * u, (84 * u) / (count > 1 ? 1.3 : 1)) +
    bubbles.join('') +
    duck +
    path(
      `M${w / 2 - half},${rim} C${w / 2 - half * 0.98},${h * 0.84} ${w / 2 - half * 0.7},${h * 0.9} ${w / 2},${h * 0.9} C${w / 2 + half * 0.7},${h * 0.9} ${w / 2 + half * 0.98},${h * 0.84} ${w / 2 + half},${rim} Z`,
      f.blend(['#fffaf0', '#e9dcc6']),
    ) +
    rect(w / 2 - half - 3 * u, rim - 1.6 * u, half * 2 + 6 * u, 6 * u, '#fffaf0', {
      rx: 3 * u,
      filter: 'url(#form)',
    }) +
    Array.from({ length: 9 }, () =>
      circle(
        w / 2 + between(random, -1, 1) * half * 0.8,
        rim + between(random, 4, 10) * u,
        between(random, 1.4, 3.4) * u,
        '#ffffff',
      ),
    ).join('') +
    afloat.join('') +
    tint(f)
  );
};

export const cardboardBox: Scene = (f, cast, count) => {
  const { w, h, u } = f;
  const [top, half] = [h * 0.58, Math.min(w * 0.36, 38 * u)];
  const middle = w / 2;
  return (
    wall(f, h * 0.72) +
    plant(f, w * 0.12, h * 0.78, 110) +
    floor(f, h * 0.72) +
    ellipse(middle, h * 0.93, half * 1.25, 4 * u, '#2b1530', { opacity: 0.35, filter: 'url(#haze)' }) +
    path(
      `M${middle - half},${top} L${middle - half * 0.86},${top - 7 * u} L${middle + half * 0.86},${top - 7 * u} L${middle + half},${top} Z`,
      '#8f6240',
    ) +
    together(f, cast, count, top + u, (count > 1 ? 50 : 66) * u) +
    path(
      `M${middle - half},${top + 2 * u} L${middle + half},${top + 2 * u} L${middle + half * 0.93},${h * 0.93} L${middle - half * 0.93},${h * 0.93} Z`,
      f.blend(['#d3a06b', '#bf8a56']),
    ) +
    path(
      `M${middle - half},${top + 2 * u} L${middle - half - 13 * u},${top + 13 * u} L${middle - half - 6 * u},${top + 20 * u} L${middle - half * 0.98},${top + 9 * u} Z`,
      '#dcb07e',
    ) +
    path(
      `M${middle + half},${top + 2 * u} L${middle + half + 13 * u},${top + 11 * u} L${middle + half + 8 * u},${top + 19 * u} L${middle + half * 0.98},${top + 9 * u} Z`,
      '#dcb07e',
    ) +
    rect(middle - 4 * u, top + 2 * u, 8 * u, h * 0.93 - top - 2 * u, '#e8cfa2', { opacity: 0.7 }) +
    at(
      middle + half * 0.55,
      h * 0.84,
      line('M-4,4 L-4,-5 M-7,-2 L-4,-5 L-1,-2 M4,4 L4,-5 M1,-2 L4,-5 L7,-2 M-8,7 L8,7', '#8f6240', 1.2),
      { scale: u },
    ) +
    tint(f)
  );
};

export const bookshelf: Scene = (f, cast, count) => {
  const { w, h, u, random } = f;
  const shelves = [0.3, 0.64, 0.98].map((part) => h * part);
  const spines = ['#b5523f', '#5f86a8', '#d9a85c', '#6f8f6a', '#8a6a8f', '#e8d3b0', '#3f5c6b'] as const;
  const rows = shelves.map((y, row) => {
    const books: Svg[] = [];
    for (let x = 5 * u; x < w - 6 * u;) {
      const [wide, high] = [between(random, 3, 6.5) * u, between(random, 15, 24) * u];
      const isRoom = row === 1 && x > w * 0.2 && x < w * 0.8;
      if (!isRoom) {
        const lean = random() < 0.08 ? 8 : 0;
        books.push(
          at(
            x,
            y,
            rect(0, -high, wide, high, pick(random, spines), { rx: 0.5 * u }) +
              rect(0, -high * 0.82, wide, u, '#fff2dd', { opacity: 0.75 }) +
              rect(0, -high * 0.3, wide, 0.6 * u, '#fff2dd', { opacity: 0.6 }),
            { turn: lean },
          ),
        );
      }
      x += wide + 0.5 * u;
    }
    return rect(0, y, w, 3.4 * u, '#8a5a3c') + rect(0, y + 3.4 * u, w, 2 * u, '#00000033') + books.join('');
  });
  return (
    rect(0, 0, w, h, f.blend(['#6b4431', '#55362a'])) +
    rows.join('') +
    plant(f, w * 0.84, h * 0.3, 42, '#e8d3b0') +
    rect(0, 0, 4 * u, h, '#8a5a3c') +
    rect(w - 4 * u, 0, 4 * u, h, '#8a5a3c') +
    together(f, cast, count, h * 0.645, 34 * u) +
    tint(f)
  );
};

export const fireside: Scene = (f, cast, count) => {
  const { w, h, u, random } = f;
  const x = w * 0.5;
  const bricks = Array.from({ length: 13 * 12 }, (_, index) => {
    const [row, column] = [Math.floor(index / 12), index % 12];
    return rect(
      x - 44 * u + (column + (row % 2) * 0.5) * 7.6 * u,
      h * 0.24 + row * 4 * u,
      7 * u,
      3.4 * u,
      pick(random, ['#b5694f', '#a85d46', '#c27a5c']),
      { rx: 0.4 * u },
    );
  });
  const flame = (dx: number, size: number) =>
    at(
      x + dx * u,
      h * 0.76,
      path('M-9,0 C-15,-12 -3,-18 -2,-34 C7,-24 14,-14 8,0 Z', '#ee7f35') +
        path('M-5,0 C-8,-9 0,-12 0,-22 C5,-15 7,-9 5,0 Z', '#ffd469'),
      { scale: size * u },
    );
  return (
    rect(0, 0, w, h, f.blend(['#8c5f55', '#6d4a4c'])) +
    `<clipPath id="hearth"><rect x="${x - 38 * u}" y="${h * 0.22}" width="${76 * u}" height="${h * 0.56}"/></clipPath>` +
    group(rect(x - 40 * u, h * 0.2, 80 * u, h * 0.6, '#8a4d3c') + bricks.join(''), {
      'clip-path': 'url(#hearth)',
    }) +
    rect(x - 44 * u, h * 0.18, 88 * u, 5 * u, '#e8d3b0', { rx: u }) +
    at(
      x - 26 * u,
      h * 0.18,
      rect(-3, -13, 6, 13, '#fff2dd') + path('M0,-19 C3,-16 2,-13 0,-13 C-2,-13 -3,-16 0,-19 Z', '#ffd469'),
      { scale: u },
    ) +
    at(
      x - 17 * u,
      h * 0.18,
      rect(-3, -9, 6, 9, '#fff2dd') + path('M0,-15 C3,-12 2,-9 0,-9 C-2,-9 -3,-12 0,-15 Z', '#ffd469'),
      { scale: u },
    ) +
    picture(f, x + 2 * u, h * 0.18 - 16 * u, 13 * u, 16 * u) +
    plant(f, x + 32 * u, h * 0.18, 26) +
    path(
      `M${x - 24 * u},${h * 0.78} L${x - 24 * u},${h * 0.5} C${x - 24 * u},${h * 0.38} ${x + 24 * u},${h * 0.38} ${x + 24 * u},${h * 0.5} L${x + 24 * u},${h * 0.78} Z`,
      '#2b1a1c',
    ) +
    line(
      `M${x - 14 * u},${h * 0.765} L${x + 12 * u},${h * 0.745} M${x + 14 * u},${h * 0.765} L${x - 11 * u},${h * 0.745}`,
      '#5b3a2e',
      3.4 * u,
    ) +
    flame(-7, 0.8) +
    flame(7, 0.7) +
    flame(0, 1) +
    rect(0, h * 0.78, w, h, '#8a5a3c') +
    ellipse(x, h * 0.9, 62 * u, 10 * u, '#c8694b') +
    ellipse(x, h * 0.9, 54 * u, 8.4 * u, '#f2d6a0') +
    ellipse(x, h * 0.9, 48 * u, 7.2 * u, '#b5523f') +
    circle(x, h * 0.66, 80 * u, f.glow(['#ffb35a99', '#ff8a3c33', '#ff8a3c00'])) +
    together(f, cast, count, h * 0.91, 46 * u) +
    tint({ ...f, light: 'gold' })
  );
};

export const birthday: Scene = (f, cast, count) => {
  const { w, h, u, random } = f;
  const flags = Array.from({ length: 13 }, (_, index) => {
    const t = index / 12;
    const y = h * 0.1 + Math.sin(t * Math.PI) * 9 * u;
    return path(
      `M${t * w - 4 * u},${y} h${8 * u} l${-4 * u},${9 * u} Z`,
      ['#e7654f', '#f2c14e', '#5f9ea0', '#f4a6b2'][index % 4] ?? '#e7654f',
    );
  });
  const balloon = (x: number, y: number, color: string) =>
    line(
      `M${x},${y + 11 * u} C${x + 4 * u},${y + 22 * u} ${x - 4 * u},${y + 30 * u} ${x},${y + 44 * u}`,
      '#8a6a5c',
      0.3 * u,
    ) +
    path(
      `M${x},${y + 11.4 * u} C${x - 11 * u},${y + 6 * u} ${x - 10 * u},${y - 11 * u} ${x},${y - 11 * u} C${x + 10 * u},${y - 11 * u} ${x + 11 * u},${y + 6 * u} ${x},${y + 11.4 * u} Z`,
      color,
      { opacity: 0.94 },
    ) +
    ellipse(x - 3.4 * u, y - 5 * u, 1.8 * u, 3 * u, '#ffffff', { opacity: 0.5 });
  const cake = at(
    w * 0.5,
    h * 0.97,
    ellipse(0, 0, 28, 4.4, '#ffffff') +
      path('M-22,-2 L-22,-19 C-14,-16 14,-16 22,-19 L22,-2 C14,2 -14,2 -22,-2 Z', '#f3d3a4') +
      path(
        'M-22,-19 C-22,-26 22,-26 22,-19 C22,-12 18,-17 15,-12 C12,-9 9,-16 5,-11 C1,-8 -3,-16 -7,-11 C-11,-9 -13,-16 -16,-12 C-19,-10 -22,-14 -22,-19 Z',
        '#f6a6b2',
      ) +
      [-10, 0, 10]
        .map(
          (x) =>
            rect(x - 1, -36, 2, 13, '#fff2dd') +
            circle(x, -39, 7, f.glow(['#ffe39acc', '#ffe39a00'])) +
            path(
              `M${x},-43 C${x + 2.4},-39.6 ${x + 1.6},-37 ${x},-37 C${x - 1.6},-37 ${x - 2.4},-39.6 ${x},-43 Z`,
              '#f5993d',
            ),
        )
        .join(''),
    { scale: u * 0.86 },
  );
  return (
    wall(f, h) +
    balloon(w * 0.12, h * 0.34, '#e7654f') +
    balloon(w * 0.22, h * 0.26, '#f2c14e') +
    balloon(w * 0.88, h * 0.3, '#5f9ea0') +
    balloon(w * 0.79, h * 0.4, '#f4a6b2') +
    line(`M0,${h * 0.1} Q${w / 2},${h * 0.1 + 18 * u} ${w},${h * 0.1}`, '#8a6a5c', 0.4 * u) +
    flags.join('') +
    together(f, cast, count, h * 0.86, 54 * u) +
    rect(0, h * 0.83, w, h, '#fdf4e3') +
    Array.from({ length: 15 }, (_, index) =>
      rect((index / 14) * w, h * 0.83, w / 28, h, '#e59a86', { opacity: 0.35 }),
    ).join('') +
    cake +
    Array.from({ length: 46 }, () =>
      rect(
        random() * w,
        random() * h,
        1.4 * u,
        0.7 * u,
        pick(random, ['#e7654f', '#f2c14e', '#5f9ea0', '#f4a6b2']),
        { transform: `rotate(${Math.round(random() * 12)})` },
      ),
    ).join('') +
    tint(f)
  );
};

export const winterHoliday: Scene = (f, cast, count) => {
  const { w, h, u, random } = f;
  const x = w * 0.74;
  const high = h * 0.82;
  const bulbs = Array.from({ length: 44 }, () => {
    const down = Math.sqrt(random());
    const [bx, by] = [x + between(random, -1, 1) * down * 24 * u, h * 0.9 - high + down * high * 0.86];
    return (
      circle(bx, by, 4 * u, f.glow(['#ffe9a899', '#ffe9a800'])) +
      circle(
        bx,
        by,
        between(random, 0.8, 1.5) * u,
        pick(random, ['#ffe08a', '#f08a6c', '#8fc0c9', '#fff6dc']),
      )
    );
  });
  const gift = (gx: number, size: number, color: string, band: string) =>
    at(
      gx,
      h * 0.93,
      rect(-10, -16, 20, 16, color, { rx: 1 }) +
        rect(-1.8, -16, 3.6, 16, band) +
        rect(-11, -18, 22, 4.4, color, { rx: 1 }) +
        both(path('M0,-18 C-4,-25 -10,-24 -9,-20 C-8,-18 -3,-18 0,-18 Z', band)),
      { scale: size * u },
    );
  return (
    rect(0, 0, w, h, f.blend(['#7a5560', '#8f6a62'])) +
    rect(w * 0.08, h * 0.12, w * 0.3, h * 0.36, '#fbf3e4', { rx: u }) +
    view({ ...f, light: 'night' }, w * 0.1, h * 0.135, w * 0.26, h * 0.33, 'snow') +
    rect(w * 0.225, h * 0.13, 1.2 * u, h * 0.34, '#fbf3e4') +
    floor(f, h * 0.78, '#9a6a4c') +
    pine(f, x, h * 0.9, high, '#3f6b57') +
    bulbs.join('') +
    at(
      x,
      h * 0.9 - high * 0.985,
      circle(0, 0, 14, f.glow(['#fff0b8cc', '#fff0b800'])) +
        path('M0,-8 L2.2,-2.6 L8,-2.4 L3.6,1.2 L5,7 L0,3.8 L-5,7 L-3.6,1.2 L-8,-2.4 L-2.2,-2.6 Z', '#ffd469'),
      { scale: u },
    ) +
    gift(w * 0.9, 1, '#c8553d', '#f2d6a0') +
    gift(w * 0.8, 0.72, '#5f86a8', '#fff2dd') +
    together(f, cast, count, h * 0.92, 50 * u, w * 0.38) +
    gift(w * 0.1, 0.8, '#d9a85c', '#b5523f') +
    tint({ ...f, light: 'gold' })
  );
};

/** A warm floor, and the light of a window lying on it. */
export const sunbeam: Scene = (f, cast, count) => {
  const { w, h, u } = f;
  const beam = (dx: number) =>
    path(
      `M${w * 0.2 + dx * u},${h * 0.52} L${w * 0.44 + dx * u},${h * 0.52} L${w * 0.7 + dx * u},${h} L${w * 0.3 + dx * u},${h} Z`,
      '#fff2bf',
      { opacity: 0.55, filter: 'url(#haze)' },
    );
  return (
    wall(f, h * 0.5) +
    path(
      `M${w * 0.1},${h * 0.06} L${w * 0.34},${h * 0.02} L${w * 0.42},${h * 0.42} L${w * 0.18},${h * 0.44} Z`,
      '#fff2bf',
      { opacity: 0.5, filter: 'url(#haze)' },
    ) +
    plant(f, w * 0.88, h * 0.56, 120) +
    floor(f, h * 0.5, '#a8744e') +
    beam(0) +
    beam(44) +
    together(f, cast, count, h * 0.8, (62 * u) / (count > 1 ? 1.2 : 1)) +
    Array.from({ length: 40 }, () =>
      circle(f.random() * w * 0.7 + w * 0.1, f.random() * h, between(f.random, 0.12, 0.36) * u, '#fff8dc', {
        opacity: 0.9,
      }),
    ).join('') +
    tint(f)
  );
};

/** Before a painted cloth: somebody had a portrait taken. */
export const studio: Scene = (f, cast, count) => {
  const { w, h, u, random } = f;
  const colors = pick<readonly [string, string]>(random, [
    ['#d98a6a', '#f2c9a0'],
    ['#6f9a92', '#c4d8c8'],
    ['#7f86ad', '#cfcbe0'],
    ['#c9a04e', '#f4dfa6'],
    ['#a8606a', '#e8b7a8'],
  ] as const);
  const sprig = (x: number, turn: number, size: number) =>
    at(
      x,
      h * 1.02,
      line('M0,0 C3,-24 -2,-50 4,-78', '#5d7a55', 1.6) +
        Array.from({ length: 9 }, (_, index) =>
          at(
            1,
            -16 - index * 7,
            path('M0,0 C4,-7 12,-8 15,-5 C11,1 5,3 0,0 Z', pick(random, ['#6f9166', '#83a578', '#5d7f5a'])),
            { flip: index % 2 === 0 },
          ),
        ).join(''),
      { turn, scale: size * u },
    );
  return (
    rect(0, 0, w, h, colors[0]) +
    circle(w * 0.5, h * 0.44, Math.max(w, h) * 0.62, f.glow([colors[1], `${colors[1]}00`])) +
    Array.from({ length: 26 }, () =>
      path(
        blob(random, random() * w, random() * h, between(random, 8, 22) * u, between(random, 6, 16) * u),
        pick(random, colors),
        { opacity: 0.22 },
      ),
    ).join('') +
    sprig(w * 0.06, 4, 1) +
    sprig(w * 0.94, -6, 0.94) +
    together(f, cast, count, h * 1.08, (h > w ? 100 : 92) * u) +
    sprig(w * 0.0, 22, 0.7) +
    sprig(w * 1.0, -24, 0.7) +
    flower(f, w * 0.1, h * 1.03, 11 * u) +
    flower(f, w * 0.91, h * 1.03, 9 * u) +
    tint(f)
  );
};

/** Out of the window of a car, with the land going by. */
export const car: Scene = (f, cast, count) => {
  const { w, h, u, random } = f;
  const door = h * 0.66;
  const color = pick(random, ['#c8553d', '#4f8a8b', '#d9a441'] as const);
  return (
    sky(f, h * 0.6) +
    hills(f, h * 0.44, 5 * u, '#93b08a') +
    hills(f, h * 0.54, 3 * u, '#7fa06c') +
    Array.from({ length: 26 }, () =>
      line(
        `M${random() * w},${between(random, h * 0.4, h * 0.64)} h${between(random, 8, 26) * u}`,
        pick(random, ['#6f9460', '#a5c088', '#c9d8a0']),
        0.9 * u,
        { opacity: 0.6 },
      ),
    ).join('') +
    path(`M0,${door} L${w},${door - 4 * u} L${w},${h} L0,${h} Z`, f.blend([color, color])) +
    path(`M0,${door} L${w},${door - 4 * u} L${w},${door + 3 * u} L0,${door + 7 * u} Z`, '#2f2a30') +
    together(f, cast, count, door + 1.5 * u, (count > 1 ? 66 : 84) * u) +
    at(
      w * 0.1,
      door - 1 * u,
      path('M-9,0 C-10,-9 9,-11 11,-3 C11,1 4,3 -9,0 Z', color) +
        path('M-6,-1.4 C-6,-6.6 6,-8 8,-3 C7,-0.6 2,0 -6,-1.4 Z', '#dcebf0'),
      { scale: u },
    ) +
    path(`M0,${h * 0.9} L${w},${h * 0.86} L${w},${h} L0,${h} Z`, '#00000022') +
    path(`M0,0 L${w * 0.11},0 L${w * 0.04},${door} L0,${door} Z`, color) +
    path(`M0,0 L${w},0 L${w},${7 * u} C${w * 0.6},${4 * u} ${w * 0.3},${5 * u} 0,${9 * u} Z`, color) +
    rect(w * 0.62, h * 0.8, 18 * u, 4 * u, '#f2e3c8', { rx: 2 * u, filter: 'url(#form)' }) +
    line(`M${w * 0.1},${h * 0.84} L${w * 0.5},${h * 0.825}`, '#ffffff', 0.8 * u, { opacity: 0.5 }) +
    tint(f)
  );
};

/** Somebody wanted to work here. */
export const desk: Scene = (f, cast, count) => {
  const { w, h, u, random } = f;
  const top = h * 0.76;
  const laptop = at(
    w * 0.64,
    top + 2 * u,
    path('M-30,0 L30,0 L36,7 L-36,7 Z', '#c9ccd2') +
      path('M-27,0 L-24,-34 L26,-34 L28,0 Z', '#5b6068') +
      path('M-24.4,-2 L-21.8,-31.6 L23.8,-31.6 L25.4,-2 Z', '#f4ead6') +
      [-26, -21, -16, -11]
        .map((y, index) => line(`M-17,${y} h${[24, 32, 18, 28][index] ?? 20}`, '#c9b79a', 1.6))
        .join(''),
    { scale: u },
  );
  return (
    wall(f, h) +
    picture(f, w * 0.08, h * 0.1, 18 * u, 22 * u) +
    lamp(f, w * 0.12, top + u, 62) +
    rect(w * 0.4, h * 0.3, w * 0.56, 2.6 * u, '#8a5a3c') +
    Array.from({ length: 9 }, (_, index) =>
      rect(
        w * 0.44 + index * 5 * u,
        h * 0.3 - between(random, 11, 17) * u,
        4.4 * u,
        17 * u,
        pick(random, ['#b5523f', '#5f86a8', '#d9a85c', '#6f8f6a']),
        { rx: 0.5 * u },
      ),
    ).join('') +
    rect(w * 0.4, h * 0.3, w * 0.56, 2.6 * u, '#8a5a3c') +
    rect(w * 0.4, h * 0.3 + 2.6 * u, w * 0.56, h * 0.012, '#00000022') +
    plant(f, w * 0.9, h * 0.3, 34) +
    rect(0, top, w, h, f.blend(['#c08a5e', '#a8744e'])) +
    rect(0, top, w, 1.4 * u, '#e3b98c') +
    laptop +
    together(f, cast, count, h * 0.9, 50 * u, w * 0.42) +
    at(
      w * 0.88,
      h * 0.95,
      path('M-7,0 L-8,-15 L8,-15 L7,0 Z', '#e07a5f') +
        line('M8,-12 C14,-12 14,-4 7.4,-4', '#e07a5f', 2) +
        ellipse(0, -15, 8, 2, '#4a2f26'),
      { scale: u },
    ) +
    at(
      w * 0.1,
      h * 0.95,
      rect(-14, -2, 30, 2.6, '#fbf4e4', { transform: 'rotate(-4)' }) +
        rect(-12, -5, 30, 2.6, '#f2d6a0', { transform: 'rotate(3)' }) +
        line('M-8,-8 L14,-10', '#d9a441', 1.4),
      { scale: u },
    ) +
    tint(f)
  );
};

/** On a perch among leaves. */
export const perch: Scene = (f, cast, count) => {
  const { w, h, u, random } = f;
  const bough = h * 0.66;
  return (
    sky(f, h) +
    Array.from({ length: 16 }, () =>
      path(
        blob(random, random() * w, random() * h, between(random, 10, 24) * u, between(random, 8, 18) * u),
        pick(random, ['#a9c99a', '#8fb784', '#c4dab0', '#e3ecd0']),
        { opacity: 0.6, filter: 'url(#soft)' },
      ),
    ).join('') +
    line(
      `M${-4 * u},${bough + 6 * u} C${w * 0.3},${bough - 3 * u} ${w * 0.6},${bough + 9 * u} ${w + 4 * u},${bough - 4 * u}`,
      '#7a5643',
      4.4 * u,
    ) +
    line(
      `M${-4 * u},${bough + 5 * u} C${w * 0.3},${bough - 4 * u} ${w * 0.6},${bough + 8 * u} ${w + 4 * u},${bough - 5 * u}`,
      '#9a7258',
      1.2 * u,
    ) +
    Array.from({ length: 20 }, (_, index) =>
      at(
        random() * w,
        bough + between(random, -3, 5) * u,
        path('M0,0 C5,-10 16,-12 22,-8 C18,2 8,5 0,0 Z', pick(random, ['#6f9c58', '#86b36a', '#9cc47e'])),
        { turn: between(random, -70, 50), scale: between(random, 0.5, 0.95) * u, flip: index % 2 === 0 },
      ),
    ).join('') +
    together(f, cast, count, bough - 3 * u, 76 * u) +
    Array.from({ length: 5 }, () => flower(f, random() * w, h * 1.04, between(random, 8, 13) * u)).join('') +
    tint(f)
  );
};
