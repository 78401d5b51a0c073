import { at, both, circle, ellipse, group, line, path, type Svg } from './svg.ts';

export type Kind = 'dog' | 'dachshund' | 'cat' | 'rabbit';

/** The colors of one animal, the same in all its pictures. */
export type Coat = {
  kind: Kind;
  fur: string;
  /** Ears, and what lies behind. */
  shade: string;
  /** Muzzle, chest and paws. */
  light: string;
  inner: string;
  nose: string;
  eye: string;
  collar: string;
  /** Over one eye. */
  patch?: string;
};

export type Age = 'young' | 'grown' | 'old';
export type Mood = 'calm' | 'happy' | 'asleep' | 'curious';
export type Pose = 'sit' | 'back' | 'curl' | 'loaf' | 'run' | 'peek';
export type Wear =
  'party-hat' | 'bandana' | 'scarf' | 'cone' | 'flower' | 'bow' | 'foam' | 'glasses' | 'knit-hat';

export type Look = {
  pose: Pose;
  mood?: Mood | undefined;
  age?: Age | undefined;
  wears?: Wear | undefined;
  /** Degrees: how far the head is put to one side. */
  tilt?: number | undefined;
};

const INK = '#33232b';

/** Stands on (0, 0) and reaches up to about y = -100 when it sits. */
export function drawAnimal(coat: Coat, look: Look): Svg {
  switch (look.pose) {
    case 'sit':
      return sit(coat, look);
    case 'back':
      return fromBehind(coat, look);
    case 'curl':
      return curl(coat, look);
    case 'loaf':
      return loaf(coat, look);
    case 'run':
      return run(coat, look);
    case 'peek':
      return peek(coat, look);
  }
}

const form = (content: Svg) => group(content, { filter: 'url(#form)' });

function headSize({ kind }: Coat, { age }: Look): number {
  const grown = { dog: 1.08, dachshund: 0.96, cat: 1.08, rabbit: 1 }[kind];
  return age === 'young' ? grown * 1.3 : grown;
}

function sit(coat: Coat, look: Look): Svg {
  const { kind, fur, shade, light } = coat;
  if (kind === 'rabbit') return sittingRabbit(coat, look);
  const isYoung = look.age === 'young';
  const tall = isYoung ? 0.74 : kind === 'dachshund' ? 0.86 : 1;
  const chest =
    kind === 'dachshund'
      ? path('M-9,-50 C-11,-42 -6,-37 -3,-42 Z M9,-50 C11,-42 6,-37 3,-42 Z', light)
      : path('M-10,-64 C-15,-46 -10,-28 -5,-25 L-2,-30 L1,-23 L4,-29 L6,-25 C11,-29 15,-46 10,-64 Z', light);
  const tail =
    kind === 'cat'
      ? line('M20,-6 C42,-2 46,-18 40,-30', fur, 8) + line('M41,-25 L40,-31', light, 8)
      : kind === 'dachshund'
        ? line('M18,-6 C34,-4 42,-10 48,-22', fur, 6)
        : line('M18,-10 C36,-12 44,-28 40,-44', fur, 11) + line('M42,-36 L40,-44', light, 11);
  const body = form(
    both(ellipse(-17, -13, 13.5, 14, shade)) +
      path('M-13,-68 C-21,-48 -25,-22 -20,-1 L20,-1 C25,-22 21,-48 13,-68 Z', fur) +
      chest +
      both(path('M-12,-36 C-13,-20 -13,-8 -13,-3 C-13,1 -2,1 -2,-3 C-2,-14 -3,-24 -3,-34', fur)) +
      line('M0,-30 L0,-2', shade, 1.3, { opacity: 0.7 }) +
      both(ellipse(-7.6, -2.6, 6.6, 4, kind === 'dachshund' ? light : light)) +
      both(line('M-9.5,-2 L-9.5,1 M-6,-2 L-6,1', INK, 0.7, { opacity: 0.45 })) +
      both(ellipse(-20, -2.4, 8, 3.8, kind === 'cat' ? light : fur)),
  );
  const collar = neckwear(coat, look, -61);
  const headAt = -64 - 12 * headSize(coat, look);
  return at(0, 0, tail + body + collar + at(0, headAt, head(coat, look), { scale: headSize(coat, look) }), {
    scale: tall,
  });
}

function sittingRabbit(coat: Coat, look: Look): Svg {
  const { fur, shade, light } = coat;
  const body = form(
    circle(22, -12, 8, light) +
      path('M-12,-46 C-24,-36 -29,-12 -22,0 L22,0 C29,-12 24,-36 12,-46 Z', fur) +
      both(ellipse(-17, -13, 12, 14, fur)) +
      both(line('M-9,-24 C-17,-24 -25,-18 -27,-9', shade, 1.4, { opacity: 0.6 })) +
      ellipse(0, -25, 9.5, 15, light) +
      both(ellipse(-6, -5, 5, 7, light)) +
      both(ellipse(-17, -2.5, 10, 4.4, light)),
  );
  const scale = look.age === 'young' ? 0.9 : 1;
  const size = headSize(coat, look);
  return at(
    0,
    0,
    body + neckwear(coat, look, -41) + at(0, -46 - 8 * size, head(coat, look), { scale: size }),
    { scale },
  );
}

function fromBehind(coat: Coat, look: Look): Svg {
  const { kind, fur, shade, light } = coat;
  const isRabbit = kind === 'rabbit';
  const tail = {
    dog: line('M14,-7 C34,-4 46,-8 52,-24', fur, 11) + line('M50.6,-18 L52,-24', light, 11),
    dachshund: line('M12,-5 C30,-3 40,-8 46,-14', fur, 6),
    cat: line('M12,-5 C40,-2 50,-10 46,-24 C44,-30 38,-28 39,-22', fur, 8),
    rabbit: circle(0, -12, 10, light),
  }[kind];
  const body = form(
    path('M-12,-68 C-23,-48 -31,-18 -26,-1 C-14,2 14,2 26,-1 C31,-18 23,-48 12,-68 Z', fur) +
      both(line('M-11,-4 C-20,-12 -24,-20 -22,-30', shade, 1.6, { opacity: 0.6 })) +
      line('M0,-58 C1,-44 -1,-30 0,-16', shade, 1.6, { opacity: 0.45 }),
  );
  const size = headSize(coat, look);
  const back = form(headShape(coat));
  const turned = at(0, 0, ears(coat, look, true) + back, { turn: look.tilt ?? 0, scale: size });
  const scale = (isRabbit ? 0.68 : 1) * (look.age === 'young' ? 0.74 : kind === 'dachshund' ? 0.86 : 1);
  const collar = line('M-13,-63 C-5,-60 5,-60 13,-63', coat.collar, 4);
  const torso = isRabbit ? body + tail : tail + body;
  return at(0, 0, torso + collar + at(0, -64 - 11 * size, turned), { scale });
}

function curl(coat: Coat, look: Look): Svg {
  const { kind, fur, shade, light } = coat;
  const scale =
    (kind === 'rabbit' ? 0.85 : kind === 'dachshund' ? 0.86 : 1) * (look.age === 'young' ? 0.7 : 1);
  const tail =
    kind === 'rabbit'
      ? circle(44, -18, 8, light)
      : line('M40,-12 C34,4 4,4 -14,-3', kind === 'dog' ? shade : fur, kind === 'dog' ? 11 : 8) +
        line('M-8,-1 L-15,-3.4', kind === 'dachshund' ? fur : light, kind === 'dog' ? 8 : 8);
  const body = form(
    path('M-44,-14 C-46,-40 -14,-50 8,-48 C36,-46 52,-28 46,-10 C43,0 20,2 0,2 C-22,2 -42,2 -44,-14 Z', fur) +
      line('M12,-8 C8,-26 22,-38 38,-32', shade, 1.8, { opacity: 0.6 }) +
      line('M-6,-46 C-2,-36 -6,-28 -12,-22', shade, 1.5, { opacity: 0.4 }),
  );
  const paw = form(ellipse(-6, -4, 11, 5, light));
  const asleep = { ...look, mood: look.mood ?? 'asleep', tilt: (look.tilt ?? 0) - 14 } as const;
  const size = headSize(coat, look) * 0.95;
  return at(0, 0, body + tail + paw + at(-27, -18, head(coat, asleep), { scale: size }), { scale });
}

function loaf(coat: Coat, look: Look): Svg {
  const { kind, fur, shade, light } = coat;
  const scale = (kind === 'rabbit' ? 0.95 : 1) * (look.age === 'young' ? 0.74 : 1);
  const tail =
    kind === 'cat'
      ? line('M30,-6 C46,-4 48,-2 34,0', fur, 8)
      : kind === 'dog'
        ? line('M30,-12 C46,-14 50,-26 47,-32', fur, 10)
        : '';
  const body = form(
    path('M-34,-2 C-40,-26 -26,-44 0,-44 C26,-44 40,-26 34,-2 C30,2 -30,2 -34,-2 Z', fur) +
      path('M-12,-42 C-15,-24 -10,-12 0,-10 C10,-12 15,-24 12,-42 Z', kind === 'dachshund' ? fur : light) +
      both(line('M-33,-14 C-27,-20 -22,-16 -21,-4', shade, 1.6, { opacity: 0.55 })),
  );
  const paws = form(both(path('M-19,1 C-21,-8 -7,-9 -5,1 Z', light)));
  const size = headSize(coat, look);
  return at(
    0,
    0,
    tail + body + paws + neckwear(coat, look, -36) + at(0, -38 - 7 * size, head(coat, look), { scale: size }),
    { scale },
  );
}

function run(coat: Coat, look: Look): Svg {
  const { kind, fur, shade, light } = coat;
  if (kind === 'rabbit') return hop(coat, look);
  const isLow = kind === 'dachshund';
  const leg = kind === 'cat' ? 7 : isLow ? 8 : 9.5;
  const reach = isLow ? 0.62 : 1;
  const far =
    line(`M-26,-34 C-36,-24 -46,${-20 * reach} -52,${-10 * reach}`, shade, leg) +
    line(`M24,-32 C32,-24 40,${-22 * reach} 50,${-18 * reach}`, shade, leg);
  const near =
    line(`M-28,-36 C-36,-22 -38,${-14 * reach} -48,-2`, fur, leg) +
    line(`M-44,-3 L-50,-2`, light, leg) +
    line(`M22,-34 C34,-22 42,${-14 * reach} 56,${-10 * reach}`, fur, leg) +
    line(`M52,${-11 * reach} L58,${-10 * reach}`, light, leg);
  const tail = {
    dog: line('M-34,-44 C-46,-52 -52,-64 -46,-76', fur, 11) + line('M-49,-69 L-46,-76', light, 11),
    dachshund: line('M-38,-40 C-50,-46 -56,-52 -60,-62', fur, 6),
    cat: line('M-34,-44 C-50,-48 -52,-66 -62,-74', fur, 8) + line('M-57,-70 L-62,-74', light, 8),
  }[kind];
  const body = form(
    path(
      'M-38,-40 C-38,-54 -20,-54 0,-53 C20,-53 36,-60 40,-46 C42,-34 32,-24 20,-25 C4,-26 -10,-31 -24,-26 C-34,-24 -38,-30 -38,-40 Z',
      fur,
    ) + path('M36,-56 C43,-46 40,-30 28,-25 C22,-30 26,-46 30,-56 Z', isLow ? fur : light),
  );
  const size = headSize(coat, look);
  const lift = isLow ? 10 : 0;
  const hd = at(40, -64, head(coat, look), { scale: size });
  const collar = line('M25,-55 C31,-48 38,-46 45,-48', coat.collar, 4.5);
  return at(0, 0, at(0, lift, far + tail + near + body + collar + hd), {
    scale: look.age === 'young' ? 0.74 : 0.98,
  });
}

function hop(coat: Coat, look: Look): Svg {
  const { fur, shade, light } = coat;
  const body = form(
    circle(-34, -26, 8, light) +
      path('M-32,-12 C-38,-40 -6,-50 14,-44 C30,-38 30,-16 20,-10 C6,-4 -24,-2 -32,-12 Z', fur) +
      ellipse(-16, -16, 16, 14, fur) +
      line('M-4,-22 C-10,-32 -24,-32 -30,-22', shade, 1.5, { opacity: 0.6 }) +
      path('M-30,-6 C-34,2 -46,4 -52,0 C-48,-6 -36,-8 -26,-12 Z', light) +
      line('M16,-16 C24,-10 28,-8 34,-6', fur, 7),
  );
  const size = headSize(coat, look);
  return at(0, 0, body + at(24, -42, head(coat, look), { scale: size }), {
    scale: look.age === 'young' ? 0.9 : 1,
  });
}

/** Over an edge at y = 0, which the scene draws before it. */
function peek(coat: Coat, look: Look): Svg {
  const size = headSize(coat, look) * (look.age === 'young' ? 0.8 : 1);
  const paw = both(
    path('M-31,-5 C-31,-12 -17,-12 -17,-5 L-17,5 C-17,10 -31,10 -31,5 Z', coat.light) +
      line('M-26.5,3 L-26.5,8 M-21.8,3 L-21.8,8', INK, 0.8, { opacity: 0.45 }),
  );
  return at(0, -12, head(coat, look), { scale: size * 1.1 }) + form(paw);
}

function neckwear(coat: Coat, look: Look, y: number): Svg {
  if (look.wears === 'bandana') {
    return form(
      path(
        `M-15,${y - 2} C-6,${y + 3} 6,${y + 3} 15,${y - 2} C12,${y + 8} 5,${y + 18} 0,${y + 21} C-5,${y + 18} -12,${y + 8} -15,${y - 2} Z`,
        coat.collar,
      ) +
        [-6, 0, 6, -3, 3, 0]
          .map((x, index) =>
            circle(x, y + 5 + Math.floor(index / 3) * 4 + (index === 5 ? 4 : 0), 0.9, '#fff4e0'),
          )
          .join(''),
    );
  }
  if (look.wears === 'scarf') {
    return form(
      line(`M-14,${y - 1} C-5,${y + 5} 5,${y + 5} 14,${y - 1}`, coat.collar, 9) +
        line(`M8,${y + 3} C10,${y + 12} 9,${y + 18} 11,${y + 24}`, coat.collar, 8) +
        line(`M6,${y + 16} L14,${y + 15} M7,${y + 22} L15,${y + 21}`, '#fff4e0', 1.6),
    );
  }
  if (look.wears === 'bow') {
    return form(
      both(
        path(
          `M0,${y + 4} C-6,${y - 4} -15,${y - 4} -15,${y + 4} C-15,${y + 12} -6,${y + 11} 0,${y + 4} Z`,
          coat.collar,
        ),
      ) + circle(0, y + 4, 3, coat.collar),
    );
  }
  const tag = circle(0, y + 7, 3, '#e9b949');
  return line(`M-13.5,${y - 1} C-5,${y + 4} 5,${y + 4} 13.5,${y - 1}`, coat.collar, 4.4) + tag;
}

/** Around (0, 0), some forty wide. */
export function head(coat: Coat, look: Look): Svg {
  const cone = look.wears === 'cone' ? drawCone() : '';
  const face = form(headShape(coat) + markings(coat, look)) + features(coat, look);
  return at(0, 0, ears(coat, look) + cone + face + headwear(look), { turn: look.tilt ?? 0 });
}

function drawCone(): Svg {
  return (
    path('M-16,16 L-40,-26 C-26,-44 26,-44 40,-26 L16,16 Z', '#f4f8fb', { opacity: 0.84 }) +
    line('M-40,-26 C-26,-44 26,-44 40,-26', '#cfe0ea', 2) +
    line('M-16,16 L-40,-26 M16,16 L40,-26', '#cfe0ea', 1.4)
  );
}

function headShape({ kind, fur }: Coat): Svg {
  const shapes: Record<Kind, string> = {
    dog: 'M-19,-3 C-20,-18 -11,-24 0,-24 C11,-24 20,-18 19,-3 C19,4 16,8 12,12 C8,18 4,20 0,20 C-4,20 -8,18 -12,12 C-16,8 -19,4 -19,-3 Z',
    dachshund:
      'M-15,-6 C-15,-19 -8,-23 0,-23 C8,-23 15,-19 15,-6 C15,2 10,8 9,15 C7,22 4,24 0,24 C-4,24 -7,22 -9,15 C-10,8 -15,2 -15,-6 Z',
    cat: 'M-22,2 C-23,-10 -16,-20 0,-20 C16,-20 23,-10 22,2 C21,12 11,18 0,18 C-11,18 -21,12 -22,2 Z',
    rabbit: 'M-17,2 C-18,-10 -11,-19 0,-19 C11,-19 18,-10 17,2 C17,13 9,18 0,18 C-9,18 -17,13 -17,2 Z',
  };
  return path(shapes[kind], fur);
}

function ears(coat: Coat, look: Look, isBehind = false): Svg {
  const { kind, fur, shade, inner } = coat;
  const isFlying = look.pose === 'run';
  switch (kind) {
    case 'dog': {
      const ear = 'M-11,-21 C-25,-25 -33,-8 -30,8 C-29,17 -21,17 -18,8 C-15,0 -14,-8 -11,-21 Z';
      const left = form(path(ear, shade));
      return isFlying ? both(at(-12, -16, at(12, 16, left), { turn: 48 })) : both(left);
    }
    case 'dachshund': {
      const ear = 'M-9,-20 C-22,-22 -29,-2 -27,16 C-26,25 -17,24 -15,14 C-13,4 -12,-6 -9,-20 Z';
      const left = form(path(ear, shade));
      return isFlying ? both(at(-10, -15, at(10, 15, left), { turn: 44 })) : both(left);
    }
    case 'cat':
      return both(
        form(path('M-20,-5 C-23,-18 -23,-28 -20,-33 C-13,-31 -6,-24 -3,-18 Z', fur)) +
          (isBehind ? '' : path('M-18,-13 C-19.5,-20 -19.5,-25 -18,-28 C-14,-26 -10,-22 -7.5,-18 Z', inner)),
      );
    case 'rabbit': {
      const up = (lean: number, bend: string) =>
        at(
          0,
          0,
          form(path('M-4,-14 C-10,-28 -10,-50 -4,-55 C3,-52 5,-30 3,-14 Z', shade)) +
            (isBehind ? '' : path('M-3,-20 C-6,-30 -6,-44 -3,-49 C0,-46 1.5,-30 0.5,-20 Z', inner)) +
            bend,
          { turn: lean },
        );
      const flopped =
        form(
          path(
            'M4,-16 C8,-32 20,-44 31,-38 C40,-33 38,-16 34,-8 C29,-5 26,-10 26,-20 C24,-27 16,-22 11,-13 Z',
            shade,
          ),
        ) +
        (isBehind
          ? ''
          : path('M30,-33 C35,-28 35,-18 33,-12 C30,-12 29,-18 29,-24 C29,-28 28,-31 30,-33 Z', inner));
      return isFlying
        ? up(-38, '') + up(-22, '')
        : up(-10, '') + (look.age === 'young' ? up(14, '') : flopped);
    }
  }
}

function markings(coat: Coat, look: Look): Svg {
  const { kind, light } = coat;
  const isOld = look.age === 'old';
  const muzzle = isOld ? '#e9e2da' : light;
  switch (kind) {
    case 'dog':
      return path(
        'M-3,-24 C-2,-14 -5,-8 -9,-1 C-15,4 -13,14 -7,18 C-3,20.5 3,20.5 7,18 C13,14 15,4 9,-1 C5,-8 2,-14 3,-24 Z',
        muzzle,
      );
    case 'dachshund':
      return (
        path('M-8,6 C-10,12 -8,24 0,24 C8,24 10,12 8,6 C4,2 -4,2 -8,6 Z', muzzle) +
        both(ellipse(-6.5, -11, 2.8, 2.2, isOld ? '#d9cfc6' : light))
      );
    case 'cat':
      return path('M0,-8 C-3,0 -14,3 -13,10 C-12,16 -6,18 0,18 C6,18 12,16 13,10 C14,3 3,0 0,-8 Z', muzzle);
    case 'rabbit':
      return (
        (coat.patch
          ? path('M3,-18 C15,-16 19,-4 16,4 C11,8 4,4 3,-4 C2,-10 2,-14 3,-18 Z', coat.patch)
          : '') + path('M0,-2 C-4,2 -10,6 -9,11 C-8,17 -4,18 0,18 C4,18 8,17 9,11 C10,6 4,2 0,-2 Z', light)
      );
  }
}

const EYES: Record<Kind, { x: number; y: number }> = {
  dog: { x: 9, y: -5 },
  dachshund: { x: 7, y: -5 },
  cat: { x: 10.5, y: -2 },
  rabbit: { x: 9.5, y: -2 },
};
const NOSES: Record<Kind, { y: number; size: number }> = {
  dog: { y: 4, size: 1.15 },
  dachshund: { y: 12, size: 1.1 },
  cat: { y: 5, size: 0.72 },
  rabbit: { y: 5, size: 0.62 },
};

function features(coat: Coat, look: Look): Svg {
  const { kind } = coat;
  const mood = look.mood ?? 'calm';
  const { x, y } = EYES[kind];
  const nose = NOSES[kind];
  const size = nose.size;
  const muzzle =
    path(`M-4.6,-2.4 C-3,-4 3,-4 4.6,-2.4 C5,0 1.4,3.2 0,3.2 C-1.4,3.2 -5,0 -4.6,-2.4 Z`, coat.nose) +
    ellipse(-1.4, -2.2, 1.5, 0.7, '#ffffff', { opacity: 0.5 }) +
    line('M0,3 L0,5.4', INK, 1) +
    (mood === 'happy' && kind !== 'rabbit'
      ? path('M-3.4,6.4 C-4.4,15 4.4,15 3.4,6.4 Z', '#e8798a') + line('M0,7 L0,11', '#c9566d', 0.8)
      : '') +
    line('M0,5.2 C-1.4,8.2 -6,8.2 -7,5 M0,5.2 C1.4,8.2 6,8.2 7,5', INK, 1.1);
  const whiskers =
    kind === 'cat' || kind === 'rabbit'
      ? both(
          line('M-9,7 C-15,5 -20,4.6 -25,5.4 M-9,9 C-15,9 -20,10 -24,12', '#fff6e8', 0.6, { opacity: 0.85 }),
        )
      : both(
          circle(-6, nose.y + 5, 0.5, INK, { opacity: 0.5 }) +
            circle(-7.6, nose.y + 7, 0.5, INK, { opacity: 0.5 }),
        );
  const blush = both(ellipse(-x - 3.2, y + 8, 4, 2.6, '#f0806b', { opacity: kind === 'cat' ? 0.22 : 0.3 }));
  return (
    blush +
    whiskers +
    at(0, nose.y, muzzle, { scale: size }) +
    eyes(coat, look, mood) +
    brows(coat, look, mood)
  );
}

function eyes({ kind, eye }: Coat, look: Look, mood: Mood): Svg {
  const { x, y } = EYES[kind];
  const size = look.age === 'young' ? 1.22 : 1;
  if (mood === 'asleep')
    return both(
      line(
        `M${-x - 3.6},${y} C${-x - 2},${y + 2.8} ${-x + 2},${y + 2.8} ${-x + 3.6},${y}`,
        kind === 'cat' ? '#d9cfc6' : INK,
        1.3,
      ),
    );
  if (mood === 'happy' && kind === 'cat')
    return both(
      line(
        `M${-x - 3.6},${y + 1} C${-x - 2},${y - 2.6} ${-x + 2},${y - 2.6} ${-x + 3.6},${y + 1}`,
        '#f2e3c4',
        1.5,
      ),
    );
  const one =
    kind === 'cat'
      ? ellipse(0, 0, 4.4, 4.6, eye) + ellipse(0, 0, mood === 'curious' ? 3.3 : 2, 4.1, '#1f1a22')
      : circle(0, 0, 3.1, eye);
  const glint = circle(1.1, -1.2, 1, '#ffffff') + circle(-1, 1.2, 0.5, '#ffffff', { opacity: 0.7 });
  return at(-x, y, one + glint, { scale: size }) + at(x, y, one + glint, { scale: size });
}

function brows({ kind }: Coat, look: Look, mood: Mood): Svg {
  if (kind !== 'dog' || mood === 'asleep') return '';
  const lift = mood === 'curious' ? -2 : 0;
  const color = look.age === 'old' ? '#efe7dd' : '#8a5a34';
  return both(
    line(`M-12,${-10 + lift} C-10,${-12.4 + lift} -7.6,${-12.4 + lift} -6,${-11 + lift}`, color, 1.3, {
      opacity: 0.75,
    }),
  );
}

function headwear({ wears }: Look): Svg {
  switch (wears) {
    case 'party-hat':
      return (
        form(
          path('M-10,-20 L2,-46 L12,-19 C5,-16 -4,-16 -10,-20 Z', '#e7654f') +
            line('M-6,-28 L9,-26 M-3,-35 L6,-34', '#ffe2a8', 2.4),
        ) + circle(2, -46, 4, '#ffd166')
      );
    case 'flower':
      return at(
        11,
        -19,
        [0, 72, 144, 216, 288]
          .map((turn) => at(0, 0, ellipse(0, -5, 3.4, 4.6, '#f6a6b2'), { turn }))
          .join('') + circle(0, 0, 3, '#ffd166'),
      );
    case 'foam':
      return form(
        circle(-8, -20, 7, '#ffffff') +
          circle(2, -25, 8, '#ffffff') +
          circle(10, -19, 6, '#f4fbff') +
          circle(-1, -18, 7, '#f4fbff'),
      );
    case 'glasses':
      return (
        both(circle(-9, -4, 7, '#ffffff', { 'fill-opacity': 0.18, stroke: '#7a3b2e', 'stroke-width': 1.8 })) +
        line('M-2,-4 L2,-4', '#7a3b2e', 1.8)
      );
    case 'knit-hat':
      return (
        form(
          path('M-19,-12 C-18,-36 18,-36 19,-12 C8,-17 -8,-17 -19,-12 Z', '#c8553d') +
            line('M-19,-12 C-8,-17 8,-17 19,-12', '#fff1de', 6),
        ) + circle(0, -33, 5.5, '#fff1de')
      );
    default:
      return '';
  }
}

/** A budgie on a perch at (0, 0), some seventy tall; it looks to the left. */
export function drawBird(mood: Mood = 'calm'): Svg {
  const body = form(
    line('M10,-8 C16,8 20,20 22,34', '#3f7d5c', 8) +
      line('M7,-4 C12,10 15,20 16,28', '#5fae6d', 7) +
      path('M-16,-40 C-20,-16 -10,2 4,2 C18,0 20,-24 14,-42 C12,-58 -14,-60 -16,-40 Z', '#7cc36a') +
      path('M-17,-44 C-18,-62 10,-64 14,-46 C14,-38 6,-34 -2,-34 C-10,-34 -16,-37 -17,-44 Z', '#ffe27a'),
  );
  const wing =
    form(path('M4,-36 C18,-38 22,-16 17,4 C8,2 0,-12 0,-26 C0,-32 1,-35 4,-36 Z', '#4f9a63')) +
    line(
      'M8,-28 C12,-26 15,-24 17,-20 M8,-20 C12,-18 14,-16 17,-12 M10,-12 C13,-10 14,-8 17,-5',
      '#2f5f4c',
      1.3,
    );
  const bars = line('M4,-57 C9,-56 12,-52 13,-48 M2,-53 C7,-52 9,-48 10,-44', '#5c5138', 1.2, {
    opacity: 0.7,
  });
  const face =
    path('M-17,-46 C-23,-46 -24,-38 -19,-34 C-16,-36 -15,-42 -17,-46 Z', '#e59a45') +
    ellipse(-15.5, -47.5, 3, 1.8, '#6d8fc9') +
    (mood === 'asleep'
      ? line('M-11,-49 C-9,-47 -6,-47 -5,-49', INK, 1.3)
      : circle(-8, -49, 2.4, INK) + circle(-8.8, -49.8, 0.8, '#fff')) +
    circle(-8, -38, 1.4, '#4f76c0') +
    circle(-3, -37, 1.4, '#4f76c0');
  const feet = line('M-4,1 L-5,6 M4,2 L4,6', '#c98b8b', 2.4);
  return body + wing + bars + face + feet;
}
