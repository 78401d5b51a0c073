import type { PetSpecies } from '#shared/pet';
import type { Coat } from './drawing/animals.ts';
import type { When } from './demo-dates.ts';
import type { Picture } from './drawing/draw-picture.ts';

/** Everybody who lives, or lived, in the demo. */
export type DemoPetName = 'Biscuit' | 'Olive' | 'Otto' | 'Clover' | 'Pip';

export type DemoPet = {
  name: DemoPetName;
  species: PetSpecies;
  breed: string | null;
  age: string | null;
  weight: string | null;
  birthday: When | null;
  description: string | null;
  joined: When;
  portrait: Picture | null;
};

export const BISCUIT: Coat = {
  kind: 'dog',
  fur: '#d9964f',
  shade: '#b36f35',
  light: '#fbe8c8',
  inner: '#e9b8a0',
  nose: '#3a2526',
  eye: '#33201c',
  collar: '#c8452f',
};

export const OLIVE: Coat = {
  kind: 'cat',
  fur: '#4a4656',
  shade: '#35323f',
  light: '#f7efe4',
  inner: '#d99a94',
  nose: '#e58e8a',
  eye: '#d8c14a',
  collar: '#3f8f86',
};

export const CLOVER: Coat = {
  kind: 'rabbit',
  fur: '#f4e8d8',
  shade: '#b98a66',
  light: '#fffaf0',
  inner: '#f2b9ae',
  nose: '#e58e8a',
  eye: '#3a2526',
  collar: '#7a9e6b',
  patch: '#b98a66',
};

export const OTTO: Coat = {
  kind: 'dachshund',
  fur: '#5b3a2e',
  shade: '#432a22',
  light: '#c98a55',
  inner: '#a8705a',
  nose: '#241718',
  eye: '#1f1416',
  collar: '#3d6fa3',
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
    portrait: {
      scene: 'studio',
      shape: 'square',
      light: 'day',
      seed: 905,
      cast: [{ coat: BISCUIT, pose: 'sit', mood: 'happy', tilt: 8 }],
    },
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
    portrait: {
      scene: 'studio',
      shape: 'square',
      light: 'day',
      seed: 908,
      cast: [{ coat: OLIVE, pose: 'sit', mood: 'curious' }],
    },
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
    portrait: {
      scene: 'studio',
      shape: 'square',
      light: 'gold',
      seed: 911,
      cast: [{ coat: OTTO, pose: 'sit', age: 'old' }],
    },
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
    portrait: {
      scene: 'studio',
      shape: 'square',
      light: 'day',
      seed: 906,
      cast: [{ coat: CLOVER, pose: 'sit', age: 'young', mood: 'curious', tilt: -6 }],
    },
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
