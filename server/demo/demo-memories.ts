import type { When } from './demo-dates.ts';
import { BISCUIT, CLOVER, OLIVE, OTTO, type DemoPetName } from './demo-pets.ts';
import type { Actor } from './drawing/scene.ts';
import type { Picture } from './drawing/draw-picture.ts';

export type DemoStory = {
  when: When;
  /** `HH:mm` */
  time?: string;
  caption?: string;
  tags?: string[];
  pet?: DemoPetName;
  isLiked?: true;
  /** Added without saying when it was taken. */
  isUndated?: true;
  /** A print that was found, and added, much later. */
  addedOn?: When;
  picture: Omit<Picture, 'seed'>;
};

const pip: Actor = { coat: 'budgie', pose: 'sit' };
const biscuit = (pose: Actor['pose'], more: Partial<Actor> = {}): Actor => ({ coat: BISCUIT, pose, ...more });
const puppy = (pose: Actor['pose'], more: Partial<Actor> = {}) => biscuit(pose, { age: 'young', ...more });
const olive = (pose: Actor['pose'], more: Partial<Actor> = {}): Actor => ({ coat: OLIVE, pose, ...more });
const clover = (pose: Actor['pose'], more: Partial<Actor> = {}): Actor => ({
  coat: CLOVER,
  pose,
  age: 'young',
  ...more,
});
const otto = (pose: Actor['pose'], more: Partial<Actor> = {}): Actor => ({ coat: OTTO, pose, ...more });
const oldOtto = (pose: Actor['pose'], more: Partial<Actor> = {}) => otto(pose, { age: 'old', ...more });

/** Two years ago and more: Biscuit is new, Otto is old. */
const FIRST_YEAR: DemoStory[] = [
  {
    when: { daysAgo: 1085 },
    time: '17:20',
    caption: 'The day Biscuit came home. We had bought a bed. He chose the box.',
    tags: ['gotcha day', 'puppy'],
    pet: 'Biscuit',
    isLiked: true,
    picture: {
      scene: 'cardboardBox',
      shape: 'square',
      light: 'day',
      cast: [puppy('peek', { mood: 'curious' })],
    },
  },
  {
    when: { daysAgo: 1078 },
    caption: 'Day 7. Otto still pretends not to notice.',
    tags: ['puppy', 'sofa'],
    pet: 'Otto',
    picture: {
      scene: 'sofa',
      shape: 'landscape',
      light: 'day',
      cast: [puppy('sit', { mood: 'happy', tilt: 10 }), oldOtto('loaf', { mood: 'asleep' })],
    },
  },
  {
    when: { on: '01-14', yearsAgo: 2 },
    time: '08:05',
    caption: 'First snow! He tried to eat all of it.',
    tags: ['snow', 'winter', 'puppy'],
    pet: 'Biscuit',
    isLiked: true,
    picture: {
      scene: 'snow',
      shape: 'portrait',
      light: 'day',
      cast: [puppy('sit', { mood: 'happy', wears: 'scarf', tilt: -8 })],
    },
  },
  {
    when: { on: '02-20', yearsAgo: 2 },
    caption: 'The old one and the new one.',
    tags: ['fireplace', 'nap'],
    pet: 'Otto',
    isLiked: true,
    picture: {
      scene: 'fireside',
      shape: 'landscape',
      light: 'night',
      cast: [oldOtto('curl'), puppy('curl')],
    },
  },
  {
    when: { on: '03-22', yearsAgo: 2 },
    tags: ['spring'],
    pet: 'Olive',
    picture: { scene: 'blossoms', shape: 'square', light: 'day', cast: [olive('back', { tilt: 10 })] },
  },
  {
    when: { on: '04-18', yearsAgo: 2 },
    caption: 'He walks in the rain only if somebody holds the umbrella. Guess who holds the umbrella.',
    tags: ['rain', 'walk'],
    pet: 'Otto',
    picture: { scene: 'rain', shape: 'portrait', light: 'day', cast: [oldOtto('sit', { tilt: -5 })] },
  },
  {
    when: { on: '05-09', yearsAgo: 2 },
    caption: 'Met a butterfly. Was not prepared.',
    tags: ['meadow', 'puppy'],
    pet: 'Biscuit',
    picture: {
      scene: 'meadow',
      shape: 'landscape',
      light: 'day',
      cast: [puppy('sit', { mood: 'curious', tilt: -14 })],
    },
  },
  {
    when: { on: '06-02', yearsAgo: 2 },
    tags: ['nap', 'sunbeam'],
    pet: 'Olive',
    picture: { scene: 'sunbeam', shape: 'landscape', light: 'gold', cast: [olive('curl')] },
  },
  {
    when: { on: '07-04', yearsAgo: 2 },
    time: '11:40',
    caption: 'He knew every gull by name, and what it owed him.',
    tags: ['sea', 'summer', 'holiday'],
    pet: 'Otto',
    isLiked: true,
    picture: {
      scene: 'beach',
      shape: 'landscape',
      light: 'day',
      cast: [oldOtto('sit', { wears: 'bandana' })],
    },
  },
  {
    when: { on: '07-05', yearsAgo: 2 },
    caption: 'Sand 1, Biscuit 0.',
    tags: ['sea', 'summer', 'holiday'],
    pet: 'Biscuit',
    picture: { scene: 'beach', shape: 'square', light: 'gold', cast: [puppy('run', { mood: 'happy' })] },
  },
  {
    when: { on: '08-16', yearsAgo: 2 },
    caption: 'Nobody said a word for a whole hour.',
    tags: ['mountains', 'hike', 'holiday'],
    isLiked: true,
    picture: {
      scene: 'mountains',
      shape: 'panorama',
      light: 'day',
      cast: [oldOtto('back'), puppy('back', { tilt: -8 })],
    },
  },
  {
    when: { on: '08-17', yearsAgo: 2 },
    time: '22:10',
    caption: 'Stars, embers, two tired dogs.',
    tags: ['camping', 'night'],
    pet: 'Otto',
    picture: { scene: 'camp', shape: 'landscape', light: 'night', cast: [puppy('back'), oldOtto('curl')] },
  },
  {
    when: { on: '09-28', yearsAgo: 2 },
    caption: 'After the mud. Before the revenge.',
    tags: ['bath'],
    pet: 'Biscuit',
    picture: { scene: 'bath', shape: 'landscape', light: 'day', cast: [puppy('peek', { wears: 'foam' })] },
  },
  {
    when: { on: '10-15', yearsAgo: 2 },
    caption: 'His favorite season. His favorite pile.',
    tags: ['autumn', 'leaves', 'park'],
    pet: 'Otto',
    isLiked: true,
    picture: { scene: 'autumn', shape: 'square', light: 'gold', cast: [oldOtto('sit')] },
  },
  {
    when: { on: '11-06', yearsAgo: 2 },
    tags: ['books'],
    picture: {
      scene: 'bookshelf',
      shape: 'portrait',
      light: 'day',
      cast: [olive('loaf', { mood: 'asleep' })],
    },
  },
  {
    when: { on: '12-24', yearsAgo: 2 },
    caption: 'Everybody behaved for exactly one photo. This is the photo.',
    tags: ['holidays', 'family'],
    isLiked: true,
    picture: {
      scene: 'winterHoliday',
      shape: 'landscape',
      light: 'night',
      cast: [puppy('sit', { wears: 'knit-hat', mood: 'happy' }), oldOtto('sit', { wears: 'bow' })],
    },
  },
  {
    when: { daysAgo: 770 },
    caption:
      'Portrait of a gentleman, fifteen years old. He sat still for it, which he had never done for anything else. The photographer asked what we had given him. Nothing. He had simply decided that this one should be good.',
    tags: ['portrait'],
    pet: 'Otto',
    isLiked: true,
    picture: { scene: 'studio', shape: 'portrait', light: 'gold', cast: [oldOtto('sit', { tilt: 3 })] },
  },
  {
    when: { daysAgo: 742 },
    caption: 'Good night, old friend. You were the best of us.',
    pet: 'Otto',
    isLiked: true,
    picture: { scene: 'quilt', shape: 'landscape', light: 'dusk', cast: [oldOtto('curl')] },
  },
];

const fromTheShoebox = { pet: 'Otto', addedOn: { daysAgo: 690 } } as const;

/** Last year, and prints from long before. */
const SECOND_YEAR: DemoStory[] = [
  {
    ...fromTheShoebox,
    when: { on: '05-30', yearsAgo: 17 },
    caption: 'From the shoebox: Otto, ten weeks old, already in charge.',
    tags: ['shoebox', 'puppy', 'garden'],
    isLiked: true,
    picture: {
      scene: 'garden',
      shape: 'square',
      light: 'gold',
      print: 'faded',
      cast: [otto('sit', { age: 'young', tilt: 9 })],
    },
  },
  {
    ...fromTheShoebox,
    when: { on: '04-02', yearsAgo: 14 },
    caption: 'Three candles. He ate the middle one.',
    tags: ['shoebox', 'birthday'],
    picture: {
      scene: 'birthday',
      shape: 'portrait',
      light: 'day',
      print: 'faded',
      cast: [otto('sit', { wears: 'party-hat', mood: 'happy' })],
    },
  },
  {
    ...fromTheShoebox,
    when: { on: '07-22', yearsAgo: 12 },
    caption: 'The old red car, and its navigator.',
    tags: ['shoebox', 'holiday', 'car'],
    picture: {
      scene: 'car',
      shape: 'landscape',
      light: 'gold',
      print: 'faded',
      cast: [otto('peek', { mood: 'happy' })],
    },
  },
  {
    ...fromTheShoebox,
    when: { on: '02-11', yearsAgo: 9 },
    tags: ['shoebox', 'snow'],
    picture: {
      scene: 'snow',
      shape: 'landscape',
      light: 'gold',
      print: 'faded',
      cast: [otto('run', { mood: 'happy' })],
    },
  },
  {
    when: { on: '01-08', yearsAgo: 1 },
    caption: 'Supervising the snow.',
    tags: ['window', 'winter'],
    pet: 'Olive',
    picture: { scene: 'snowyWindow', shape: 'square', light: 'day', cast: [olive('back', { tilt: -6 })] },
  },
  {
    when: { on: '02-11', yearsAgo: 1 },
    time: '09:55',
    caption: 'I had a deadline. She had an opinion.',
    tags: ['work', 'desk'],
    pet: 'Olive',
    isLiked: true,
    picture: { scene: 'desk', shape: 'landscape', light: 'day', cast: [olive('loaf', { mood: 'curious' })] },
  },
  {
    when: { on: '03-19', yearsAgo: 1 },
    time: '07:11',
    caption: 'Breakfast was eleven minutes ago. Biscuit remembers it differently.',
    tags: ['kitchen', 'hungry'],
    pet: 'Biscuit',
    picture: {
      scene: 'kitchen',
      shape: 'landscape',
      light: 'day',
      cast: [biscuit('sit', { mood: 'curious', tilt: 14 })],
    },
  },
  {
    when: { on: '04-12', yearsAgo: 1 },
    tags: ['spring', 'blossoms'],
    pet: 'Biscuit',
    picture: {
      scene: 'blossoms',
      shape: 'portrait',
      light: 'gold',
      cast: [biscuit('sit', { wears: 'flower', mood: 'happy', tilt: 6 })],
    },
  },
  {
    when: { on: '05-03', yearsAgo: 1 },
    caption: 'This is Pip. He sings along with the kettle.',
    tags: ['gotcha day', 'bird'],
    pet: 'Pip',
    isLiked: true,
    picture: { scene: 'perch', shape: 'portrait', light: 'day', cast: [pip] },
  },
  {
    when: { on: '05-30', yearsAgo: 1 },
    caption: 'Ears: fully deployed.',
    tags: ['car', 'holiday'],
    pet: 'Biscuit',
    picture: {
      scene: 'car',
      shape: 'wide',
      light: 'day',
      cast: [biscuit('peek', { mood: 'happy', tilt: -8 })],
    },
  },
  {
    when: { on: '06-14', yearsAgo: 1 },
    caption: 'Captain Biscuit. The crew is asleep below deck.',
    tags: ['lake', 'boat', 'summer'],
    pet: 'Biscuit',
    picture: {
      scene: 'boat',
      shape: 'landscape',
      light: 'day',
      cast: [biscuit('peek', { wears: 'glasses' })],
    },
  },
  {
    when: { on: '06-21', yearsAgo: 1 },
    caption: 'Longest day of the year, and she used all of it.',
    tags: ['garden', 'summer'],
    pet: 'Olive',
    picture: {
      scene: 'garden',
      shape: 'portrait',
      light: 'day',
      cast: [olive('sit', { mood: 'calm', tilt: -5 })],
    },
  },
  {
    when: { on: '07-12', yearsAgo: 1 },
    time: '20:31',
    caption: 'Full speed, no plan.',
    tags: ['field', 'summer', 'sunset'],
    pet: 'Biscuit',
    isLiked: true,
    picture: {
      scene: 'running',
      shape: 'panorama',
      light: 'gold',
      cast: [biscuit('run', { mood: 'happy' })],
    },
  },
  {
    when: { on: '08-03', yearsAgo: 1 },
    caption: 'She tolerated the hat for the length of one photograph.',
    tags: ['birthday', 'party'],
    pet: 'Olive',
    isLiked: true,
    picture: {
      scene: 'birthday',
      shape: 'landscape',
      light: 'day',
      cast: [olive('sit', { wears: 'party-hat' })],
    },
  },
  {
    when: { on: '08-23', yearsAgo: 1 },
    tags: ['camping', 'sunset'],
    pet: 'Biscuit',
    picture: { scene: 'mountains', shape: 'landscape', light: 'dusk', cast: [biscuit('back', { tilt: 6 })] },
  },
  {
    when: { on: '09-09', yearsAgo: 1 },
    caption: 'Ate a sock. Regrets nothing, except the cone.',
    tags: ['vet'],
    pet: 'Biscuit',
    picture: {
      scene: 'sofa',
      shape: 'square',
      light: 'day',
      cast: [biscuit('sit', { wears: 'cone', mood: 'calm' })],
    },
  },
  {
    when: { on: '10-27', yearsAgo: 1 },
    caption: 'أوليف تراقب المطر من النافذة، ولا شيء يستعجلها',
    tags: ['مطر', 'window'],
    pet: 'Olive',
    picture: { scene: 'rainyWindow', shape: 'portrait', light: 'day', cast: [olive('sit')] },
  },
  {
    when: { on: '10-31', yearsAgo: 1 },
    caption: 'Tonight she takes her color seriously.',
    tags: ['night', 'halloween'],
    pet: 'Olive',
    picture: { scene: 'windowSill', shape: 'square', light: 'night', cast: [olive('back')] },
  },
  {
    when: { on: '11-20', yearsAgo: 1 },
    caption: 'Peace talks concluded. Terms: one blanket, shared.',
    tags: ['sofa', 'nap'],
    isLiked: true,
    picture: { scene: 'sofa', shape: 'landscape', light: 'gold', cast: [biscuit('curl'), olive('curl')] },
  },
  {
    when: { on: '12-06', yearsAgo: 1 },
    tags: ['snow', 'winter'],
    pet: 'Biscuit',
    picture: { scene: 'snow', shape: 'wide', light: 'gold', cast: [biscuit('run', { mood: 'happy' })] },
  },
  {
    when: { on: '12-25', yearsAgo: 1 },
    caption: 'The tree stood for four hours.',
    tags: ['holidays'],
    pet: 'Olive',
    picture: {
      scene: 'winterHoliday',
      shape: 'portrait',
      light: 'night',
      cast: [olive('sit', { wears: 'bow' })],
    },
  },
];

/** The last twelve months: Clover is new. */
const THIRD_YEAR: DemoStory[] = [
  {
    when: { daysAgo: 330 },
    caption: 'Clover. Found in a car park, now owns a kitchen.',
    tags: ['gotcha day', 'rabbit'],
    pet: 'Clover',
    isLiked: true,
    picture: {
      scene: 'cardboardBox',
      shape: 'landscape',
      light: 'gold',
      cast: [clover('peek', { mood: 'curious' })],
    },
  },
  {
    when: { daysAgo: 322 },
    pet: 'Clover',
    tags: ['nap'],
    picture: { scene: 'quilt', shape: 'square', light: 'day', cast: [clover('curl')] },
  },
  {
    when: { on: '01-02', yearsAgo: 0 },
    caption: 'New year, same fire, same places.',
    tags: ['fireplace', 'winter'],
    picture: {
      scene: 'fireside',
      shape: 'square',
      light: 'night',
      cast: [olive('loaf', { mood: 'asleep' }), biscuit('curl')],
    },
  },
  {
    when: { on: '01-25', yearsAgo: 0 },
    caption: 'One of us was made for this weather.',
    tags: ['snow', 'walk'],
    picture: {
      scene: 'snow',
      shape: 'landscape',
      light: 'dusk',
      cast: [biscuit('sit', { wears: 'knit-hat' }), clover('sit', { wears: 'scarf' })],
    },
  },
  {
    when: { on: '02-14', yearsAgo: 0 },
    caption: 'My valentine. He also dated the postman.',
    tags: ['portrait', 'valentine'],
    pet: 'Biscuit',
    isLiked: true,
    picture: {
      scene: 'studio',
      shape: 'square',
      light: 'gold',
      cast: [biscuit('sit', { wears: 'bow', mood: 'happy', tilt: -8 })],
    },
  },
  {
    when: { on: '03-08', yearsAgo: 0 },
    caption: 'Señorita Olive à la fenêtre: très chic, un peu naïve, déjà fatiguée 🌞🐾',
    tags: ['window', 'été'],
    pet: 'Olive',
    picture: {
      scene: 'windowSill',
      shape: 'landscape',
      light: 'gold',
      cast: [olive('loaf', { mood: 'happy' })],
    },
  },
  {
    when: { on: '04-05', yearsAgo: 0 },
    caption: 'The lawn has been inspected and found delicious.',
    tags: ['garden', 'spring'],
    pet: 'Clover',
    picture: { scene: 'garden', shape: 'landscape', light: 'day', cast: [clover('loaf')] },
  },
  {
    when: { on: '04-20', yearsAgo: 0 },
    caption: 'Race result: tortoise not available for comment.',
    tags: ['meadow'],
    pet: 'Clover',
    picture: { scene: 'meadow', shape: 'wide', light: 'gold', cast: [clover('run')] },
  },
  {
    when: { on: '05-11', yearsAgo: 0 },
    time: '15:02',
    caption: 'All of them. In one frame. Looking this way. We are having it printed on a wall.',
    tags: ['family', 'spring'],
    isLiked: true,
    picture: {
      scene: 'blossoms',
      shape: 'landscape',
      light: 'day',
      cast: [biscuit('sit', { mood: 'happy' }), clover('sit', { wears: 'flower' }), olive('sit')],
    },
  },
  {
    when: { on: '06-08', yearsAgo: 0 },
    tags: ['kitchen', 'hungry'],
    pet: 'Clover',
    picture: {
      scene: 'kitchen',
      shape: 'square',
      light: 'day',
      cast: [clover('sit', { mood: 'curious', tilt: 8 })],
    },
  },
  {
    when: { on: '06-30', yearsAgo: 0 },
    caption: 'Do not disturb. He is reading.',
    tags: ['sea', 'summer', 'holiday'],
    pet: 'Biscuit',
    picture: {
      scene: 'beach',
      shape: 'portrait',
      light: 'day',
      cast: [biscuit('sit', { wears: 'glasses' })],
    },
  },
  {
    when: { on: '07-19', yearsAgo: 0 },
    caption: 'Two in a boat, to say nothing of the cat.',
    tags: ['lake', 'boat', 'sunset'],
    isLiked: true,
    picture: { scene: 'boat', shape: 'wide', light: 'gold', cast: [biscuit('peek'), clover('peek')] },
  },
  {
    when: { on: '08-09', yearsAgo: 0 },
    caption: 'Are we there yet? She has asked nine times. By staring.',
    tags: ['car', 'holiday'],
    picture: {
      scene: 'car',
      shape: 'landscape',
      light: 'dusk',
      cast: [biscuit('peek'), olive('peek', { mood: 'curious' })],
    },
  },
  {
    when: { on: '08-29', yearsAgo: 0 },
    time: '21:48',
    tags: ['camping', 'night'],
    pet: 'Biscuit',
    picture: { scene: 'camp', shape: 'portrait', light: 'night', cast: [biscuit('curl')] },
  },
  {
    when: { on: '09-14', yearsAgo: 0 },
    caption: 'Guests of honor, waiting for the guests.',
    tags: ['birthday', 'party', 'family'],
    picture: {
      scene: 'birthday',
      shape: 'square',
      light: 'day',
      cast: [biscuit('sit', { wears: 'party-hat' }), clover('sit', { wears: 'party-hat' })],
    },
  },
  {
    when: { on: '10-11', yearsAgo: 0 },
    caption: 'Otto’s pile. We think he would share.',
    tags: ['autumn', 'leaves', 'park'],
    pet: 'Clover',
    isLiked: true,
    picture: { scene: 'autumn', shape: 'landscape', light: 'gold', cast: [clover('sit')] },
  },
  {
    when: { on: '11-02', yearsAgo: 0 },
    caption: 'Nobody was eaten. We counted twice.',
    tags: ['books', 'family'],
    pet: 'Pip',
    isLiked: true,
    picture: {
      scene: 'bookshelf',
      shape: 'square',
      light: 'gold',
      cast: [olive('loaf', { mood: 'asleep' }), pip],
    },
  },
  {
    when: { on: '11-29', yearsAgo: 0 },
    tags: ['rain', 'walk'],
    pet: 'Biscuit',
    picture: { scene: 'rain', shape: 'square', light: 'dusk', cast: [biscuit('sit', { wears: 'bandana' })] },
  },
  {
    when: { on: '12-13', yearsAgo: 0 },
    caption: 'This year the tree is behind a fence. The fence is for us.',
    tags: ['holidays'],
    picture: {
      scene: 'winterHoliday',
      shape: 'wide',
      light: 'night',
      cast: [biscuit('curl'), clover('sit', { wears: 'bow' })],
    },
  },
  {
    when: { daysAgo: 26 },
    caption: 'Second verse.',
    tags: ['bird', 'song'],
    pet: 'Pip',
    picture: { scene: 'perch', shape: 'square', light: 'gold', cast: [pip] },
  },
  {
    when: { daysAgo: 17 },
    tags: ['sunbeam', 'nap'],
    pet: 'Clover',
    isUndated: true,
    picture: { scene: 'sunbeam', shape: 'square', light: 'gold', cast: [clover('loaf', { mood: 'asleep' })] },
  },
  {
    when: { daysAgo: 9 },
    caption: 'Film night. Nobody liked the film.',
    tags: ['sofa', 'family'],
    isLiked: true,
    picture: {
      scene: 'sofa',
      shape: 'wide',
      light: 'dusk',
      cast: [olive('loaf'), biscuit('sit'), clover('loaf')],
    },
  },
  {
    when: { daysAgo: 4 },
    isUndated: true,
    picture: { scene: 'desk', shape: 'square', light: 'gold', cast: [pip] },
  },
  {
    when: { daysAgo: 2 },
    caption: 'Sunday, by Biscuit.',
    tags: ['nap'],
    pet: 'Biscuit',
    picture: { scene: 'quilt', shape: 'landscape', light: 'day', cast: [biscuit('curl')] },
  },
  {
    when: { daysAgo: 1 },
    time: '16:45',
    caption: 'The committee is waiting for the postman.',
    tags: ['window', 'family'],
    isLiked: true,
    picture: {
      scene: 'windowSill',
      shape: 'wide',
      light: 'gold',
      cast: [olive('back'), biscuit('back', { tilt: 8 }), clover('back')],
    },
  },
];

export const DEMO_STORIES: readonly DemoStory[] = [...FIRST_YEAR, ...SECOND_YEAR, ...THIRD_YEAR];
