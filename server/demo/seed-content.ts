import { between, pick, type Random } from '../platform/seeded-random.ts';

const OPENINGS = ['Look who', 'The one who', 'Somebody', 'Our hero', 'This rascal', 'Little nose'] as const;
const DEEDS = [
  'slept through',
  'ran all along',
  'chased a leaf across',
  'guarded',
  'sang to',
  'dug up half of',
  'fell in love with',
  'would not leave',
  'was first at',
] as const;
const PLACES = [
  'the beach',
  'the garden',
  'grandma’s sofa',
  'the old bridge',
  'the café on the corner',
  'the first snow',
  'the lake',
  'the kitchen',
  'the long way home',
  'the meadow behind the house',
] as const;
const ENDINGS = ['', '', ' again', ', of course', ' and regrets nothing', ' ❤️'] as const;
const TAGS = [
  'summer',
  'winter',
  'walk',
  'nap',
  'holiday',
  'family',
  'funny',
  'été',
  'rain',
  'birthday',
] as const;

/** Caption and tags of memory number `number`; every tenth caption names the number, for searches with one match. */
export function seedCaptionAndTags(
  random: Random,
  number: number,
): { caption: string | null; tags: string[] } {
  const words = `${pick(random, OPENINGS)} ${pick(random, DEEDS)} ${pick(random, PLACES)}${pick(random, ENDINGS)}`;
  const caption = random() < 0.12 ? null : number % 10 === 0 ? `${words} (walk ${number})` : words;
  const tags = Array.from({ length: Math.floor(between(random, 0, 3.4)) }, () => pick(random, TAGS));
  return { caption, tags: [...new Set(tags)] };
}

const NAMES = [
  'Biscuit',
  'Olive',
  'Clover',
  'Pip',
  'Mochi',
  'Señor Waffles',
  'Bärli',
  'Luna',
  'كراميل',
  'Otto',
] as const;
const SPECIES = ['dog', 'cat', 'rabbit', 'bird', 'cat', 'dog', 'other', 'hamster', 'cat', 'dog'] as const;

export function seedPet(number: number): { name: string; species: (typeof SPECIES)[number] } {
  const [turn, position] = [Math.floor(number / NAMES.length), number % NAMES.length];
  const name = NAMES[position] ?? NAMES[0];
  return { name: turn === 0 ? name : `${name} ${turn + 1}`, species: SPECIES[position] ?? 'other' };
}
