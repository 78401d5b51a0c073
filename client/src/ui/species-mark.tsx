import { Bird, Cat, createLucideIcon, Dog, Fish, PawPrint, Rabbit, type LucideIcon } from 'lucide-react';
import type { PetSpecies } from '#shared/pet';
import { classNames } from '../lib/class-names.ts';

/** The icon set has none: drawn to stand beside its dog and its cat. */
const Hamster = createLucideIcon('hamster', [
  [
    'path',
    {
      d: 'M5.4 9.3C4.4 10.6 3.8 12.2 3.8 14c0 4.2 3.6 7 8.2 7s8.2-2.8 8.2-7c0-1.8-.6-3.4-1.6-4.7',
      key: 'face',
    },
  ],
  ['path', { d: 'M8.6 7.1a9.3 9.3 0 0 1 6.8 0', key: 'brow' }],
  ['path', { d: 'M5.4 9.3a2.3 2.3 0 1 1 3.2-2.2', key: 'left-ear' }],
  ['path', { d: 'M15.4 7.1a2.3 2.3 0 1 1 3.2 2.2', key: 'right-ear' }],
  ['path', { d: 'M8.5 12.5v.5', key: 'left-eye' }],
  ['path', { d: 'M15.5 12.5v.5', key: 'right-eye' }],
  ['path', { d: 'M11.25 15h1.5l-.75.75zM12 15.75v1', key: 'nose' }],
  ['path', { d: 'M4.5 16.6c1.7-1.3 4.1-.9 5 1.2', key: 'left-cheek' }],
  ['path', { d: 'M19.5 16.6c-1.7-1.3-4.1-.9-5 1.2', key: 'right-cheek' }],
]);

const marks: Record<PetSpecies, LucideIcon> = {
  dog: Dog,
  cat: Cat,
  bird: Bird,
  fish: Fish,
  rabbit: Rabbit,
  hamster: Hamster,
  other: PawPrint,
};

/** The animal in a few lines of one width, however large it is drawn. Decoration: the species stands beside it. */
export function SpeciesMark({ species, className }: { species: PetSpecies; className?: string }) {
  const Mark = marks[species];
  return <Mark className={classNames('[&_*]:[vector-effect:non-scaling-stroke]', className)} />;
}
