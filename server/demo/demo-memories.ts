import type { DemoDate } from './demo-dates.ts';
import type { DemoPetName } from './demo-pets.ts';

export type DemoMemory = {
  /** In `photos/`; all of them were rendered for this project. */
  photo: string;
  takenOn: DemoDate;
  /** `HH:mm` */
  time?: string;
  caption?: string;
  tags?: string[];
  pet?: DemoPetName;
  isLiked?: true;
  isUndated?: true;
  /** The day on which it was taken, unless given. */
  addedOn?: DemoDate;
};

/** Two years ago and more: Biscuit is new, Otto is old. */
const FIRST_YEAR: DemoMemory[] = [
  {
    photo: 'biscuit-puppy-cardboard-box.webp',
    takenOn: { daysAgo: 1085 },
    time: '17:20',
    caption: 'The day Biscuit came home. We had bought a bed. He chose the box.',
    tags: ['gotcha day', 'puppy'],
    pet: 'Biscuit',
    isLiked: true,
  },
  {
    photo: 'biscuit-puppy-otto-sofa.webp',
    takenOn: { daysAgo: 1078 },
    caption: 'Day 7. Otto still pretends not to notice.',
    tags: ['puppy', 'sofa'],
    pet: 'Otto',
  },
  {
    photo: 'biscuit-puppy-snow.webp',
    takenOn: { on: '01-14', yearsAgo: 2 },
    time: '08:05',
    caption: 'First snow! He tried to eat all of it.',
    tags: ['snow', 'winter', 'puppy'],
    pet: 'Biscuit',
    isLiked: true,
  },
  {
    photo: 'otto-biscuit-puppy-fireside.webp',
    takenOn: { on: '02-20', yearsAgo: 2 },
    caption: 'The old one and the new one.',
    tags: ['fireplace', 'nap'],
    pet: 'Otto',
    isLiked: true,
  },
  {
    photo: 'olive-blossoms.webp',
    takenOn: { on: '03-22', yearsAgo: 2 },
    tags: ['spring'],
    pet: 'Olive',
  },
  {
    photo: 'otto-rain.webp',
    takenOn: { on: '04-18', yearsAgo: 2 },
    caption: 'He walks in the rain only if somebody holds the umbrella. Guess who holds the umbrella.',
    tags: ['rain', 'walk'],
    pet: 'Otto',
  },
  {
    photo: 'biscuit-puppy-meadow.webp',
    takenOn: { on: '05-09', yearsAgo: 2 },
    caption: 'Met a butterfly. Was not prepared.',
    tags: ['meadow', 'puppy'],
    pet: 'Biscuit',
  },
  {
    photo: 'olive-sunbeam.webp',
    takenOn: { on: '06-02', yearsAgo: 2 },
    tags: ['nap', 'sunbeam'],
    pet: 'Olive',
  },
  {
    photo: 'otto-beach.webp',
    takenOn: { on: '07-04', yearsAgo: 2 },
    time: '11:40',
    caption: 'He knew every gull by name, and what it owed him.',
    tags: ['sea', 'summer', 'holiday'],
    pet: 'Otto',
    isLiked: true,
  },
  {
    photo: 'biscuit-puppy-beach.webp',
    takenOn: { on: '07-05', yearsAgo: 2 },
    caption: 'Sand 1, Biscuit 0.',
    tags: ['sea', 'summer', 'holiday'],
    pet: 'Biscuit',
  },
  {
    photo: 'otto-biscuit-puppy-mountains.webp',
    takenOn: { on: '08-16', yearsAgo: 2 },
    caption: 'Nobody said a word for a whole hour.',
    tags: ['mountains', 'hike', 'holiday'],
    isLiked: true,
  },
  {
    photo: 'biscuit-puppy-otto-camp.webp',
    takenOn: { on: '08-17', yearsAgo: 2 },
    time: '22:10',
    caption: 'Stars, embers, two tired dogs.',
    tags: ['camping', 'night'],
    pet: 'Otto',
  },
  {
    photo: 'biscuit-puppy-bath.webp',
    takenOn: { on: '09-28', yearsAgo: 2 },
    caption: 'After the mud. Before the revenge.',
    tags: ['bath'],
    pet: 'Biscuit',
  },
  {
    photo: 'otto-autumn.webp',
    takenOn: { on: '10-15', yearsAgo: 2 },
    caption: 'His favorite season. His favorite pile.',
    tags: ['autumn', 'leaves', 'park'],
    pet: 'Otto',
    isLiked: true,
  },
  {
    photo: 'olive-bookshelf.webp',
    takenOn: { on: '11-06', yearsAgo: 2 },
    tags: ['books'],
  },
  {
    photo: 'biscuit-puppy-otto-holidays.webp',
    takenOn: { on: '12-24', yearsAgo: 2 },
    caption: 'Everybody behaved for exactly one photo. This is the photo.',
    tags: ['holidays', 'family'],
    isLiked: true,
  },
  {
    photo: 'otto-studio.webp',
    takenOn: { daysAgo: 770 },
    caption:
      'Portrait of a gentleman, fifteen years old. He sat still for it, which he had never done for anything else. The photographer asked what we had given him. Nothing. He had simply decided that this one should be good.',
    tags: ['portrait'],
    pet: 'Otto',
    isLiked: true,
  },
  {
    photo: 'otto-quilt.webp',
    takenOn: { daysAgo: 742 },
    caption: 'Good night, old friend. You were the best of us.',
    pet: 'Otto',
    isLiked: true,
  },
];

const print = { pet: 'Otto', addedOn: { daysAgo: 690 } } as const;

/** The second year, and prints from long before. */
const SECOND_YEAR: DemoMemory[] = [
  {
    photo: 'otto-puppy-garden-print.webp',
    ...print,
    takenOn: { on: '05-30', yearsAgo: 17 },
    caption: 'From the shoebox: Otto, ten weeks old, already in charge.',
    tags: ['shoebox', 'puppy', 'garden'],
    isLiked: true,
  },
  {
    photo: 'otto-birthday-print.webp',
    ...print,
    takenOn: { on: '04-02', yearsAgo: 14 },
    caption: 'Three candles. He ate the middle one.',
    tags: ['shoebox', 'birthday'],
  },
  {
    photo: 'otto-car-print.webp',
    ...print,
    takenOn: { on: '07-22', yearsAgo: 12 },
    caption: 'The old red car, and its navigator.',
    tags: ['shoebox', 'holiday', 'car'],
  },
  {
    photo: 'otto-snow-print.webp',
    ...print,
    takenOn: { on: '02-11', yearsAgo: 9 },
    tags: ['shoebox', 'snow'],
  },
  {
    photo: 'olive-snowy-window.webp',
    takenOn: { on: '01-08', yearsAgo: 1 },
    caption: 'Supervising the snow.',
    tags: ['window', 'winter'],
    pet: 'Olive',
  },
  {
    photo: 'olive-desk.webp',
    takenOn: { on: '02-11', yearsAgo: 1 },
    time: '09:55',
    caption: 'I had a deadline. She had an opinion.',
    tags: ['work', 'desk'],
    pet: 'Olive',
    isLiked: true,
  },
  {
    photo: 'biscuit-kitchen.webp',
    takenOn: { on: '03-19', yearsAgo: 1 },
    time: '07:11',
    caption: 'Breakfast was eleven minutes ago. Biscuit remembers it differently.',
    tags: ['kitchen', 'hungry'],
    pet: 'Biscuit',
  },
  {
    photo: 'biscuit-blossoms.webp',
    takenOn: { on: '04-12', yearsAgo: 1 },
    tags: ['spring', 'blossoms'],
    pet: 'Biscuit',
  },
  {
    photo: 'pip-perch.webp',
    takenOn: { on: '05-03', yearsAgo: 1 },
    caption: 'This is Pip. He sings along with the kettle.',
    tags: ['gotcha day', 'bird'],
    pet: 'Pip',
    isLiked: true,
  },
  {
    photo: 'biscuit-car.webp',
    takenOn: { on: '05-30', yearsAgo: 1 },
    caption: 'Ears: fully deployed.',
    tags: ['car', 'holiday'],
    pet: 'Biscuit',
  },
  {
    photo: 'biscuit-boat.webp',
    takenOn: { on: '06-14', yearsAgo: 1 },
    caption: 'Captain Biscuit. The crew is asleep below deck.',
    tags: ['lake', 'boat', 'summer'],
    pet: 'Biscuit',
  },
  {
    photo: 'olive-garden.webp',
    takenOn: { on: '06-21', yearsAgo: 1 },
    caption: 'Longest day of the year, and she used all of it.',
    tags: ['garden', 'summer'],
    pet: 'Olive',
  },
  {
    photo: 'biscuit-field.webp',
    takenOn: { on: '07-12', yearsAgo: 1 },
    time: '20:31',
    caption: 'Full speed, no plan.',
    tags: ['field', 'summer', 'sunset'],
    pet: 'Biscuit',
    isLiked: true,
  },
  {
    photo: 'olive-birthday.webp',
    takenOn: { on: '08-03', yearsAgo: 1 },
    caption: 'She tolerated the hat for the length of one photograph.',
    tags: ['birthday', 'party'],
    pet: 'Olive',
    isLiked: true,
  },
  {
    photo: 'biscuit-mountains.webp',
    takenOn: { on: '08-23', yearsAgo: 1 },
    tags: ['camping', 'sunset'],
    pet: 'Biscuit',
  },
  {
    photo: 'biscuit-cone.webp',
    takenOn: { on: '09-09', yearsAgo: 1 },
    caption: 'Ate a sock. Regrets nothing, except the cone.',
    tags: ['vet'],
    pet: 'Biscuit',
  },
  {
    photo: 'olive-rainy-window.webp',
    takenOn: { on: '10-27', yearsAgo: 1 },
    caption: 'أوليف تراقب المطر من النافذة، ولا شيء يستعجلها',
    tags: ['مطر', 'window'],
    pet: 'Olive',
  },
  {
    photo: 'olive-window-night.webp',
    takenOn: { on: '10-31', yearsAgo: 1 },
    caption: 'Tonight she takes her color seriously.',
    tags: ['night', 'halloween'],
    pet: 'Olive',
  },
  {
    photo: 'biscuit-olive-sofa.webp',
    takenOn: { on: '11-20', yearsAgo: 1 },
    caption: 'Peace talks concluded. Terms: one blanket, shared.',
    tags: ['sofa', 'nap'],
    isLiked: true,
  },
  {
    photo: 'biscuit-snow.webp',
    takenOn: { on: '12-06', yearsAgo: 1 },
    tags: ['snow', 'winter'],
    pet: 'Biscuit',
  },
  {
    photo: 'olive-holidays.webp',
    takenOn: { on: '12-25', yearsAgo: 1 },
    caption: 'The tree stood for four hours.',
    tags: ['holidays'],
    pet: 'Olive',
  },
];

/** The last twelve months: Clover is new. */
const THIRD_YEAR: DemoMemory[] = [
  {
    photo: 'clover-cardboard-box.webp',
    takenOn: { daysAgo: 330 },
    caption: 'Clover. Found in a car park, now owns a kitchen.',
    tags: ['gotcha day', 'rabbit'],
    pet: 'Clover',
    isLiked: true,
  },
  {
    photo: 'clover-quilt.webp',
    takenOn: { daysAgo: 322 },
    pet: 'Clover',
    tags: ['nap'],
  },
  {
    photo: 'olive-biscuit-fireside.webp',
    takenOn: { on: '01-02', yearsAgo: 0 },
    caption: 'New year, same fire, same places.',
    tags: ['fireplace', 'winter'],
  },
  {
    photo: 'biscuit-clover-snow.webp',
    takenOn: { on: '01-25', yearsAgo: 0 },
    caption: 'One of us was made for this weather.',
    tags: ['snow', 'walk'],
  },
  {
    photo: 'biscuit-studio.webp',
    takenOn: { on: '02-14', yearsAgo: 0 },
    caption: 'My valentine. He also dated the postman.',
    tags: ['portrait', 'valentine'],
    pet: 'Biscuit',
    isLiked: true,
  },
  {
    photo: 'olive-window-sunset.webp',
    takenOn: { on: '03-08', yearsAgo: 0 },
    caption: 'Señorita Olive à la fenêtre: très chic, un peu naïve, déjà fatiguée 🌞🐾',
    tags: ['window', 'été'],
    pet: 'Olive',
  },
  {
    photo: 'clover-garden.webp',
    takenOn: { on: '04-05', yearsAgo: 0 },
    caption: 'The lawn has been inspected and found delicious.',
    tags: ['garden', 'spring'],
    pet: 'Clover',
  },
  {
    photo: 'clover-meadow.webp',
    takenOn: { on: '04-20', yearsAgo: 0 },
    caption: 'Race result: tortoise not available for comment.',
    tags: ['meadow'],
    pet: 'Clover',
  },
  {
    photo: 'family-blossoms.webp',
    takenOn: { on: '05-11', yearsAgo: 0 },
    time: '15:02',
    caption: 'All of them. In one frame. Looking this way. We are having it printed on a wall.',
    tags: ['family', 'spring'],
    isLiked: true,
  },
  {
    photo: 'clover-kitchen.webp',
    takenOn: { on: '06-08', yearsAgo: 0 },
    tags: ['kitchen', 'hungry'],
    pet: 'Clover',
  },
  {
    photo: 'biscuit-beach.webp',
    takenOn: { on: '06-30', yearsAgo: 0 },
    caption: 'Do not disturb. He is reading.',
    tags: ['sea', 'summer', 'holiday'],
    pet: 'Biscuit',
  },
  {
    photo: 'biscuit-clover-boat.webp',
    takenOn: { on: '07-19', yearsAgo: 0 },
    caption: 'Two in a boat, to say nothing of the cat.',
    tags: ['lake', 'boat', 'sunset'],
    isLiked: true,
  },
  {
    photo: 'biscuit-olive-car.webp',
    takenOn: { on: '08-09', yearsAgo: 0 },
    caption: 'Are we there yet? She has asked nine times. By staring.',
    tags: ['car', 'holiday'],
  },
  {
    photo: 'biscuit-camp.webp',
    takenOn: { on: '08-29', yearsAgo: 0 },
    time: '21:48',
    tags: ['camping', 'night'],
    pet: 'Biscuit',
  },
  {
    photo: 'biscuit-clover-birthday.webp',
    takenOn: { on: '09-14', yearsAgo: 0 },
    caption: 'Guests of honor, waiting for the guests.',
    tags: ['birthday', 'party', 'family'],
  },
  {
    photo: 'clover-autumn.webp',
    takenOn: { on: '10-11', yearsAgo: 0 },
    caption: 'Otto’s pile. We think he would share.',
    tags: ['autumn', 'leaves', 'park'],
    pet: 'Clover',
    isLiked: true,
  },
  {
    photo: 'olive-pip-bookshelf.webp',
    takenOn: { on: '11-02', yearsAgo: 0 },
    caption: 'Nobody was eaten. We counted twice.',
    tags: ['books', 'family'],
    pet: 'Pip',
    isLiked: true,
  },
  {
    photo: 'biscuit-rain.webp',
    takenOn: { on: '11-29', yearsAgo: 0 },
    tags: ['rain', 'walk'],
    pet: 'Biscuit',
  },
  {
    photo: 'biscuit-clover-holidays.webp',
    takenOn: { on: '12-13', yearsAgo: 0 },
    caption: 'This year the tree is behind a fence. The fence is for us.',
    tags: ['holidays'],
  },
  {
    photo: 'pip-perch-sunset.webp',
    takenOn: { daysAgo: 26 },
    caption: 'Second verse.',
    tags: ['bird', 'song'],
    pet: 'Pip',
  },
  {
    photo: 'clover-sunbeam.webp',
    takenOn: { daysAgo: 17 },
    tags: ['sunbeam', 'nap'],
    pet: 'Clover',
    isUndated: true,
  },
  {
    photo: 'family-sofa.webp',
    takenOn: { daysAgo: 9 },
    caption: 'Film night. Nobody liked the film.',
    tags: ['sofa', 'family'],
    isLiked: true,
  },
  {
    photo: 'pip-desk.webp',
    takenOn: { daysAgo: 4 },
    isUndated: true,
  },
  {
    photo: 'biscuit-quilt.webp',
    takenOn: { daysAgo: 2 },
    caption: 'Sunday, by Biscuit.',
    tags: ['nap'],
    pet: 'Biscuit',
  },
  {
    photo: 'family-window.webp',
    takenOn: { daysAgo: 1 },
    time: '16:45',
    caption: 'The committee is waiting for the postman.',
    tags: ['window', 'family'],
    isLiked: true,
  },
];

export const DEMO_MEMORIES: readonly DemoMemory[] = [...FIRST_YEAR, ...SECOND_YEAR, ...THIRD_YEAR];
