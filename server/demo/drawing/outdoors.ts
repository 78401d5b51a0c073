import {
  butterfly,
  falling,
  flower,
  flowers,
  grass,
  hills,
  leaf,
  nearLeaves,
  pine,
  sky,
  tint,
  tree,
} from './nature.ts';
import { between, pick } from '../seeded-random.ts';
import { together, type Scene } from './scene.ts';
import { at, blob, circle, ellipse, group, line, path, rect } from './svg.ts';

export const meadow: Scene = (f, cast, count) => {
  const { w, h, u, random } = f;
  const top = h * 0.52;
  return (
    sky(f, top * 1.15) +
    hills(f, top - 4 * u, 5 * u, '#a9c39a') +
    Array.from({ length: 5 }, () =>
      tree(f, random() * w, top + 2 * u, between(random, 14, 22) * u, ['#6f9a6a', '#85ad76', '#9fc088']),
    ).join('') +
    hills(f, top + 6 * u, 3 * u, f.blend(['#b6cf86', '#7fae63'])) +
    hills(f, h * 0.7, 2.5 * u, f.blend(['#9cc274', '#6b9c55'])) +
    grass(f, h * 0.66, h * 0.2, ['#86b364', '#a8cc7a', '#6d9c54'], 150) +
    flowers(f, h * 0.66, h * 0.14, 16, 2.6 * u) +
    together(f, cast, count, h * 0.88, 48 * u) +
    grass(f, h * 0.9, h * 0.12, ['#5f9150', '#7cae60', '#94c06d'], 150) +
    flowers(f, h * 0.93, h * 0.1, 12, 4.6 * u) +
    butterfly(w * 0.24, h * 0.34, 6 * u, '#f2b04d', -20) +
    butterfly(w * 0.72, h * 0.42, 4.6 * u, '#f6f0e2', 24) +
    tint(f)
  );
};

export const running: Scene = (f, cast, count) => {
  const { w, h, u, random } = f;
  const top = h * 0.46;
  return (
    sky(f, top * 1.2) +
    hills(f, top - 6 * u, 7 * u, '#93a8a0') +
    hills(f, top, 4 * u, '#a3b78a') +
    Array.from({ length: 7 }, () =>
      pine(f, random() * w, top + 4 * u, between(random, 16, 26) * u, '#5c7f67'),
    ).join('') +
    hills(f, top + 8 * u, 2 * u, f.blend(['#dcc98a', '#b9a862'])) +
    grass(f, h * 0.56, h * 0.3, ['#cdbb78', '#e6d79c', '#a79a58'], 260) +
    Array.from({ length: count }, (_, index) =>
      cast(index, w * (0.36 + index * 0.3), h * 0.83 + index * 2 * u, 56 * u, {
        flip: index % 2 === 1 && count === 2 && random() < 0.4,
      }),
    ).join('') +
    grass(f, h * 0.92, h * 0.12, ['#b3a35c', '#d9c98a', '#8f8748'], 200) +
    nearLeaves(f, ['#8f8748', '#b3a35c', '#cdbb78'], 'right') +
    tint(f)
  );
};

export const beach: Scene = (f, cast, count) => {
  const { w, h, u, random, light } = f;
  const shore = h * 0.44;
  const sea = {
    day: ['#5fb0bd', '#a8d8d2'],
    gold: ['#c98a74', '#f3c896'],
    dusk: ['#4d5a8a', '#c58f9f'],
    night: ['#1d2a55', '#3d4f80'],
  }[light];
  const wave = (y: number, color: string, width: number) =>
    line(
      `M0,${y} q${w * 0.08},${-1.4 * u} ${w * 0.16},0 t${w * 0.16},0 t${w * 0.16},0 t${w * 0.16},0 t${w * 0.16},0 t${w * 0.16},0 t${w * 0.16},0`,
      color,
      width,
      { opacity: 0.8 },
    );
  const boat = at(
    w * 0.7,
    shore - u,
    path('M-9,0 L9,0 C7,5 -6,5 -9,0 Z', '#b8503e') +
      path('M0,-1 L0,-22 C7,-14 9,-8 9,-2 Z', '#fff4e2') +
      path('M-1,-2 L-1,-18 C-5,-12 -7,-7 -7,-2 Z', '#f4d9b4'),
    { scale: u * 0.8 },
  );
  const towel = at(
    w * 0.5,
    h * 0.88,
    path('M-30,-6 L28,-7 L34,7 L-36,8 Z', '#fff2dd') +
      path('M-31,-3.6 L29,-4.4 L30.4,-1.4 L-32.4,-0.6 Z M-34,3.4 L32,2.6 L33,5.4 L-35,6 Z', '#d9694f'),
    { scale: 1.1 * u },
  );
  const umbrella = at(
    w * 0.2,
    h * 0.82,
    line('M0,0 L-4,-52', '#f7ead2', 1.8) +
      path(
        'M-34,-42 C-30,-66 20,-72 28,-48 C18,-52 10,-51 6,-47 C0,-52 -8,-51 -13,-45 C-20,-49 -28,-47 -34,-42 Z',
        '#e07a5f',
      ) +
      path('M-13,-45 C-14,-56 -8,-63 -5,-64 C0,-62 6,-56 6,-47 C0,-52 -8,-51 -13,-45 Z', '#fff2dd'),
    { scale: 0.9 * u },
  );
  return (
    sky(f, shore) +
    rect(0, shore, w, h, f.blend(sea)) +
    boat +
    [2, 6, 10.5].map((down, index) => wave(shore + down * u, '#ffffff', (0.3 + index * 0.2) * u)).join('') +
    hills(f, shore + 17 * u, 1.6 * u, '#fff7e6') +
    hills(f, shore + 19 * u, 1.6 * u, f.blend(['#e0c08e', '#f2dcae'])) +
    Array.from({ length: 60 }, () =>
      ellipse(
        random() * w,
        between(random, shore + 26 * u, h),
        0.5 * u,
        0.24 * u,
        pick(random, ['#c9a873', '#fff3d6', '#d9a48a']),
      ),
    ).join('') +
    (count > 1 ? '' : umbrella) +
    towel +
    together(f, cast, count, h * 0.88, 50 * u) +
    at(
      w * 0.8,
      h * 0.93,
      path('M-7,0 L-5.4,-12 L5.4,-12 L7,0 Z', '#3f8f86', { transform: 'rotate(180 0 -6)' }) +
        line('M-6,-12 C-5,-20 5,-20 6,-12', '#f7ead2', 1.2),
      { scale: u },
    ) +
    circle(w * 0.68, h * 0.95, 3.4 * u, '#f2c14e') +
    path(`M${w * 0.68 - 3.4 * u},${h * 0.95} a${3.4 * u},${3.4 * u} 0 0 0 ${6.8 * u},0 Z`, '#d9694f') +
    tint(f)
  );
};

export const snow: Scene = (f, cast, count) => {
  const { w, h, u, random, light } = f;
  const top = h * 0.5;
  const white =
    light === 'day'
      ? ['#f3f6fa', '#d6e1ee']
      : light === 'gold'
        ? ['#fff0e0', '#ecd3cf']
        : ['#cdd2ea', '#98a3cc'];
  return (
    sky(f, top * 1.2) +
    hills(f, top - 4 * u, 6 * u, '#b6c6d8') +
    Array.from({ length: Math.round(w / (9 * u)) }, () =>
      pine(
        f,
        random() * w,
        top + between(random, 0, 6) * u,
        between(random, 18, 34) * u,
        pick(random, ['#4d6b68', '#5d7d78', '#3f5c5f']),
        '#f4f8fb',
      ),
    ).join('') +
    hills(f, top + 7 * u, 2.4 * u, f.blend(white)) +
    pine(f, w * 0.1, h * 0.78, 52 * u, '#3f5c5f', '#f4f8fb') +
    pine(f, w * 0.93, h * 0.74, 42 * u, '#4d6b68', '#f4f8fb') +
    hills(f, h * 0.74, 1.6 * u, f.blend(white)) +
    Array.from({ length: 9 }, (_, index) =>
      ellipse(
        w * 0.52 + index * 5.2 * u + (index % 2) * 2 * u,
        h * 0.83 - index * 1.7 * u,
        (1.5 - index * 0.1) * u,
        0.6 * u,
        '#a9b6d0',
        { opacity: 0.8 },
      ),
    ).join('') +
    together(f, cast, count, h * 0.88, 50 * u, w * 0.48) +
    path(blob(random, w * 0.48, h * 0.9, 30 * u, 3 * u), white[0] ?? '#fff') +
    hills(f, h * 0.97, u, '#ffffff') +
    tint(f) +
    falling(f, 'snow')
  );
};

export const autumn: Scene = (f, cast, count) => {
  const { w, h, u, random } = f;
  const top = h * 0.56;
  const colors = [
    ['#a8442a', '#cf6a2f', '#e8933e'],
    ['#b9772a', '#dba03a', '#f0c35e'],
    ['#8f3b2c', '#b9502f', '#d9743f'],
  ] as const;
  const heap = Array.from({ length: 230 }, () => {
    const [turn, reach] = [random() * 2 * Math.PI, Math.sqrt(random())];
    return leaf(
      w * 0.5 + Math.cos(turn) * reach * 42 * u,
      h * 0.93 + Math.sin(turn) * reach * 9 * u,
      between(random, 4, 7) * u,
      pick(random, ['#d9722e', '#e9a13b', '#b9472c', '#f0c35e', '#a8602e']),
      random() * 360,
    );
  });
  return (
    sky(f, top) +
    hills(f, top - 6 * u, 4 * u, '#d8b486') +
    Array.from({ length: 7 }, (_, index) =>
      tree(
        f,
        (index / 6) * w + between(random, -5, 5) * u,
        top + between(random, 0, 7) * u,
        between(random, 36, 60) * u,
        pick<readonly [string, string, string]>(random, colors),
      ),
    ).join('') +
    hills(f, top + 6 * u, 2 * u, f.blend(['#c9a552', '#9a8a45'])) +
    path(
      `M${w * 0.44},${top + 6 * u} C${w * 0.5},${h * 0.72} ${w * 0.2},${h * 0.8} ${w * 0.16},${h} L${w * 0.86},${h} C${w * 0.7},${h * 0.8} ${w * 0.52},${h * 0.72} ${w * 0.47},${top + 6 * u} Z`,
      '#e3c79a',
    ) +
    Array.from({ length: 90 }, () =>
      leaf(
        random() * w,
        between(random, top + 12 * u, h),
        between(random, 1.6, 3.6) * u,
        pick(random, ['#d9722e', '#e9a13b', '#b9472c']),
        random() * 360,
      ),
    ).join('') +
    together(f, cast, count, h * 0.9, 50 * u) +
    heap.join('') +
    falling(f, 'leaves') +
    tint(f)
  );
};

export const garden: Scene = (f, cast, count) => {
  const { w, h, u, random } = f;
  const board = 9 * u;
  const fence = Array.from({ length: Math.ceil(w / board) }, (_, index) => {
    const [x, top] = [index * board, h * 0.34 + between(random, -0.8, 0.8) * u];
    return path(
      `M${x + 0.6 * u},${h * 0.7} L${x + 0.6 * u},${top + 4 * u} L${x + board / 2},${top} L${x + board - 0.6 * u},${top + 4 * u} L${x + board - 0.6 * u},${h * 0.7} Z`,
      pick(random, ['#f6ead6', '#efe0c6', '#f9f0df']),
    );
  });
  const bush = (x: number, size: number) =>
    path(blob(random, x, h * 0.66, size * 1.2, size), pick(random, ['#6b9460', '#7da56b', '#5d8657'])) +
    Array.from({ length: 12 }, () =>
      circle(
        x + between(random, -1, 1) * size,
        h * 0.66 + between(random, -0.8, 0.4) * size,
        1.5 * u,
        pick(random, ['#f3a6b0', '#fff5e6', '#ef7f64']),
      ),
    ).join('');
  return (
    sky(f, h * 0.5) +
    Array.from({ length: 4 }, () =>
      tree(f, random() * w, h * 0.5, between(random, 44, 60) * u, ['#6f9a6a', '#8bb27a', '#a8c88f']),
    ).join('') +
    rect(0, h * 0.46, w, 3 * u, '#e2cfae') +
    fence.join('') +
    [0.05, 0.3, 0.76, 0.97].map((x) => bush(w * x, between(random, 12, 17) * u)).join('') +
    hills(f, h * 0.72, u, f.blend(['#a5cb78', '#6fa257'])) +
    grass(f, h * 0.72, h * 0.2, ['#86b864', '#b1d486', '#6d9f54'], 170) +
    flowers(f, h * 0.76, h * 0.08, 9, 4.4 * u) +
    together(f, cast, count, h * 0.9, 50 * u) +
    [0.04, 0.13, 0.22, 0.8, 0.9, 0.97]
      .map((x) => flower(f, w * x, h * 1.02, between(random, 8, 12) * u))
      .join('') +
    butterfly(w * 0.66, h * 0.3, 6 * u, '#e07a5f', -18) +
    tint(f)
  );
};

export const mountains: Scene = (f, cast, count) => {
  const { w, h, u, random } = f;
  const top = h * 0.5;
  const peak = (x: number, height: number, half: number, color: string, cap: string) =>
    path(
      `M${x - half},${top} L${x - half * 0.3},${top - height * 0.66} L${x},${top - height} L${x + half * 0.4},${top - height * 0.55} L${x + half},${top} Z`,
      color,
    ) +
    path(
      `M${x - half * 0.3},${top - height * 0.66} L${x},${top - height} L${x + half * 0.26},${top - height * 0.7} L${x + half * 0.1},${top - height * 0.74} L${x},${top - height * 0.62} L${x - half * 0.14},${top - height * 0.72} Z`,
      cap,
    );
  const peaks = Array.from({ length: Math.ceil(w / (28 * u)) }, (_, index) =>
    peak(
      index * 28 * u + between(random, 0, 16) * u,
      between(random, 20, 34) * u,
      between(random, 22, 30) * u,
      pick(random, ['#8d9bb8', '#7d8cab', '#9caac2']),
      '#f6f4f2',
    ),
  );
  return (
    sky(f, top) +
    peaks.join('') +
    hills(f, top - 2 * u, 3 * u, '#7f9a92') +
    Array.from({ length: Math.round(w / (7 * u)) }, () =>
      pine(f, random() * w, top + 3 * u, between(random, 7, 13) * u, '#56796f'),
    ).join('') +
    rect(0, top + 2 * u, w, 18 * u, f.blend(['#7fb0bd', '#c4dcdc'])) +
    Array.from({ length: 16 }, () =>
      line(
        `M${random() * w},${top + between(random, 5, 17) * u} h${between(random, 4, 12) * u}`,
        '#f1fafa',
        0.3 * u,
        { opacity: 0.7 },
      ),
    ).join('') +
    hills(f, top + 19 * u, 2 * u, f.blend(['#8eae6e', '#668a56'])) +
    [0.08, 0.2, 0.86]
      .map((x) =>
        path(blob(random, w * x, h * 0.84, 9 * u, 5 * u, 0.16, 7), pick(random, ['#9a9690', '#aaa49a'])),
      )
      .join('') +
    grass(f, h * 0.78, h * 0.22, ['#7fa562', '#9fbf78', '#5f8a4f'], 150) +
    together(f, cast, count, h * 0.9, 46 * u, w * 0.56) +
    flowers(f, h * 0.96, h * 0.06, 12, 3.6 * u) +
    tint(f)
  );
};

export const rain: Scene = (f, cast, count) => {
  const { w, h, u, random } = f;
  const umbrella = at(
    w * 0.52,
    h * 0.86,
    line('M14,0 L14,-74', '#7a4a34', 1.8) +
      path(
        'M-30,-62 C-24,-100 52,-100 58,-62 C50,-68 42,-68 36,-62 C29,-69 20,-70 14,-63 C7,-70 -2,-69 -9,-62 C-15,-68 -23,-68 -30,-62 Z',
        '#e8b13f',
      ) +
      line(
        'M14,-63 C8,-80 12,-90 14,-92 M36,-62 C34,-78 24,-88 14,-92 M-9,-62 C-7,-78 4,-88 14,-92',
        '#c98d2c',
        1,
      ),
    { scale: (h > w ? 1.2 : 0.9) * u },
  );
  const puddle = (x: number, y: number, size: number) =>
    ellipse(x, y, size, size * 0.22, '#8ba3b3') +
    ellipse(x, y + 0.4 * u, size * 0.8, size * 0.15, '#b7cad3') +
    ellipse(x - size * 0.2, y, size * 0.3, size * 0.06, '#e9f3f6');
  return (
    rect(0, 0, w, h, f.blend(['#8e9fb0', '#b9c4c8', '#cfcfc6'])) +
    Array.from({ length: 6 }, (_, index) => {
      const [x, top] = [index * (w / 5) - 6 * u, h * between(random, 0.2, 0.34)];
      const wall = rect(x, top, w / 5.2, h * 0.5, pick(random, ['#c9a89a', '#b8b0a8', '#d1bfa6', '#a9a5ae']));
      const roof = path(
        `M${x - 1.5 * u},${top} L${x + w / 10.4},${top - 10 * u} L${x + w / 5.2 + 1.5 * u},${top} Z`,
        pick(random, ['#8f5a4e', '#75606a', '#946b50']),
      );
      const panes = [0.22, 0.62].flatMap((across) =>
        [5, 17].map((down) =>
          rect(
            x + (w / 5.2) * across,
            top + down * u,
            3.6 * u,
            6 * u,
            random() < 0.6 ? '#f7d98e' : '#7d8896',
            { rx: 0.4 * u },
          ),
        ),
      );
      return wall + roof + panes.join('');
    }).join('') +
    rect(0, h * 0.62, w, h, f.blend(['#8d949c', '#a9acae'])) +
    [0.2, 0.78, 0.42]
      .map((x, index) => puddle(w * x, h * (0.74 + index * 0.09), (12 + index * 3) * u))
      .join('') +
    falling(f, 'rain') +
    umbrella +
    together(f, cast, count, h * 0.87, 50 * u, w * 0.46) +
    puddle(w * 0.8, h * 0.95, 14 * u) +
    tint(f)
  );
};

export const camp: Scene = (f, cast, count) => {
  const { w, h, u, random } = f;
  const tent = at(
    w * 0.24,
    h * 0.8,
    path('M-34,0 L0,-46 L34,0 Z', '#d98e4a') +
      path('M-34,0 L0,-46 L-8,0 Z', '#f0b266') +
      path('M-4,0 L0,-46 L12,0 Z', '#fbe2a6'),
    { scale: u },
  );
  const fire = at(
    w * 0.83,
    h * 0.86,
    circle(0, -8, 60, f.glow(['#ffcf7acc', '#ff9a3c44', '#ff9a3c00'])) +
      line('M-11,0 L9,-5 M11,0 L-9,-5', '#5b3a2e', 4) +
      path('M-8,-3 C-13,-14 -3,-17 -2,-28 C5,-21 11,-14 7,-3 Z', '#f08a3c') +
      path('M-4,-3 C-7,-10 0,-12 0,-19 C4,-13 6,-9 4,-3 Z', '#ffd97a'),
    { scale: u },
  );
  return (
    sky(f, h * 0.66) +
    hills(f, h * 0.5, 6 * u, '#43527f') +
    Array.from({ length: Math.round(w / (8 * u)) }, () =>
      pine(
        f,
        random() * w,
        h * 0.66,
        between(random, 24, 46) * u,
        pick(random, ['#33466b', '#3d5277', '#2d4366']),
      ),
    ).join('') +
    hills(f, h * 0.68, 1.6 * u, f.blend(['#6c7f74', '#465a5a'])) +
    tint(f) +
    tent +
    fire +
    together(f, cast, count, h * 0.88, 46 * u, w * 0.5) +
    grass(f, h * 0.94, h * 0.1, ['#4d6660', '#64806c', '#3a5254'], 130) +
    Array.from({ length: 16 }, () =>
      circle(
        w * 0.83 + between(random, -9, 9) * u,
        h * between(random, 0.36, 0.76),
        between(random, 0.2, 0.5) * u,
        '#ffcf7a',
      ),
    ).join('')
  );
};

export const blossoms: Scene = (f, cast, count) => {
  const { w, h, u, random } = f;
  const bough = (x: number, y: number, turn: number, size: number) => {
    const cloud = Array.from({ length: 15 }, () =>
      path(
        blob(
          random,
          between(random, -6, 62),
          between(random, -16, 12),
          between(random, 6, 10),
          between(random, 5, 8),
        ),
        pick(random, ['#f7c3cd', '#fbd9de', '#f2a9b9', '#fdeaec']),
      ),
    );
    return at(x, y, line('M-20,2 C6,-4 30,4 64,-4', '#6b4a41', 4) + cloud.join(''), {
      turn,
      scale: size * u,
    });
  };
  return (
    sky(f, h * 0.8) +
    hills(f, h * 0.62, 4 * u, '#b9cfa0') +
    tree(f, w * 0.9, h * 0.66, 30 * u, ['#e79fb0', '#f4bcc8', '#fbdbe0']) +
    tree(f, w * 0.66, h * 0.65, 24 * u, ['#e79fb0', '#f4bcc8', '#fbdbe0']) +
    hills(f, h * 0.7, 2 * u, f.blend(['#b4d394', '#82b06c'])) +
    path(
      `M${w * 0.02},${h * 0.9} C${w * 0.08},${h * 0.6} ${w * 0.0},${h * 0.3} ${w * 0.1},0 L${w * 0.2},0 C${w * 0.12},${h * 0.3} ${w * 0.17},${h * 0.62} ${w * 0.22},${h * 0.9} Z`,
      '#6b4a41',
    ) +
    grass(f, h * 0.74, h * 0.2, ['#86b864', '#b1d486', '#6d9f54'], 120) +
    Array.from({ length: 60 }, () =>
      ellipse(random() * w, between(random, h * 0.76, h), 0.9 * u, 0.45 * u, '#fbd5da'),
    ).join('') +
    together(f, cast, count, h * 0.9, 48 * u, w * 0.56) +
    bough(w * 0.12, h * 0.16, 6, 1) +
    bough(w * 0.5, h * 0.06, -4, 0.8) +
    bough(w * 0.06, h * 0.34, -10, 0.7) +
    falling(f, 'petals') +
    tint(f)
  );
};

/** In a boat on a quiet lake: over its side. */
export const boat: Scene = (f, cast, count) => {
  const { w, h, u, random } = f;
  const water = h * 0.42;
  const hull = at(
    w * 0.5,
    h * 0.8,
    path('M-60,-22 C-50,4 -34,12 0,12 C34,12 50,4 62,-24 C30,-15 -30,-15 -60,-22 Z', '#b8503e') +
      path('M-60,-22 C-30,-15 30,-15 62,-24 L60,-18 C30,-9 -30,-9 -57,-16 Z', '#fff2dd') +
      line('M-44,-4 C-20,3 20,3 46,-6', '#8f3b2e', 1.2),
    { scale: u * (w > h * 1.4 ? 1 : 0.76) },
  );
  const rim = h * 0.8 - 16 * u * (w > h * 1.4 ? 1 : 0.76);
  return (
    sky(f, water) +
    hills(f, water - 5 * u, 4 * u, '#8ba79a') +
    Array.from({ length: Math.round(w / (6 * u)) }, () =>
      pine(f, random() * w, water + u, between(random, 8, 16) * u, pick(random, ['#56796f', '#668a78'])),
    ).join('') +
    rect(0, water, w, h, f.blend(['#8fbfc2', '#5d97a6', '#4a8296'])) +
    Array.from({ length: 60 }, () =>
      line(
        `M${random() * w},${between(random, water + 2 * u, h)} h${between(random, 3, 11) * u}`,
        '#dff1ef',
        0.35 * u,
        { opacity: 0.5 },
      ),
    ).join('') +
    together(f, cast, count, rim - 2 * u, 56 * u) +
    hull +
    ellipse(w * 0.5, h * 0.91, 46 * u, 2.6 * u, '#2f5f70', { opacity: 0.4 }) +
    Array.from({ length: 4 }, (_, index) =>
      at(
        w * (0.08 + index * 0.05),
        h * (0.9 + (index % 2) * 0.05),
        ellipse(0, 0, 5, 1.7, '#6f9c58') +
          (index % 2
            ? group(
                circle(0, -2, 1.8, '#f6a6b2') +
                  circle(-2, -1.4, 1.4, '#fbd5da') +
                  circle(2, -1.4, 1.4, '#fbd5da'),
                {},
              )
            : ''),
        { scale: u },
      ),
    ).join('') +
    tint(f)
  );
};
