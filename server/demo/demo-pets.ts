import type { PetSpecies } from '#shared/album/pet';
import type { DemoDate } from './demo-dates.ts';

export type DemoPetName = 'Biscuit' | 'Olive' | 'Otto' | 'Clover' | 'Pip';

export type DemoPet = {
  name: DemoPetName;
  species: PetSpecies;
  breed: string | null;
  age: string | null;
  weight: string | null;
  birthday: DemoDate | null;
  description: string | null;
  joined: DemoDate;
  portrait: string | null;
};

export const DEMO_PETS: readonly DemoPet[] = [
  {
    name: 'Biscuit',
    species: 'dog',
    breed: 'Beagle mix',
    age: '3 years',
    weight: '26 lbs',
    birthday: { daysAgo: 1085 },
    description:
      'Came in a cardboard box and never quite left it. Collects left shoes. Afraid of the toaster.',
    joined: { daysAgo: 1085 },
    portrait: 'biscuit-portrait.webp',
  },
  {
    name: 'Olive',
    species: 'cat',
    breed: 'Tuxedo',
    age: '6 years',
    weight: '9 lbs',
    birthday: { on: '08-03', yearsAgo: 5 },
    description: 'Head of the household. Grants audiences on the window sill, mornings only.',
    joined: { daysAgo: 1084 },
    portrait: 'olive-portrait.webp',
  },
  {
    name: 'Otto',
    species: 'dog',
    breed: 'Dachshund',
    age: '15 years',
    weight: '19 lbs',
    birthday: { on: '04-02', yearsAgo: 17 },
    description:
      'Our first. He knew every gull at the sea and every sofa he was not allowed on. We miss his snoring.',
    joined: { daysAgo: 1083 },
    portrait: 'otto-portrait.webp',
  },
  {
    name: 'Clover',
    species: 'rabbit',
    breed: 'Holland Lop mix',
    age: '1 year',
    weight: '3 lbs',
    birthday: { daysAgo: 400 },
    description: 'Found in a car park in a shoebox. One ear up, one ear down, no fear of anybody.',
    joined: { daysAgo: 330 },
    portrait: 'clover-portrait.webp',
  },
  {
    name: 'Pip',
    species: 'bird',
    breed: 'Budgie',
    age: null,
    weight: null,
    birthday: null,
    description: 'Sings along with the kettle.',
    joined: { on: '05-03', yearsAgo: 1 },
    portrait: null,
  },
];
