import { describe, expect, it } from 'vitest';
import { pairNames } from './pair-names.ts';

const LONG = '123456789123456789123456789123456789_DSCN0091';

const CUTS = 'supplemental-metadata'.length;

/** A photo, its sidecar, and another sidecar in the folder. From issues of exporters and importers. */
const PAIRS: [photo: string, sidecar: string | null, other?: string][] = [
  // Until 2024: the photo's name and `.json`
  ['IMG_1234.jpg', 'IMG_1234.jpg.json'],
  ['IMG_1234.JPG', 'IMG_1234.jpg.json'],
  ['IMG_1234.jpg', 'IMG_1234.JPG.json'],
  ['IMG_1234.HEIC', 'IMG_1234.HEIC.json'],
  ['Screenshot 2020-01-31 at 08.30.59.png', 'Screenshot 2020-01-31 at 08.30.59.png.json'],
  ['IMG_1234.jpeg', 'IMG_1234.json'],
  ['雪の日.jpg', '雪の日.jpg.json'],
  ['Ku\u0308he.jpg', 'K\u00fche.jpg.json'],
  ['K\u00fche.jpg', 'Ku\u0308he.jpg.json'],
  ['100-0016_IMG_2_2.JPG', '100-0016_IMG_2_2.JPG.json'],
  ['a.jpg', 'a.jpg.json', 'ab.jpg.json'],
  ['IMG_12.jpg', 'IMG_12.jpg.json', 'IMG_1.jpg.json'],
  ['IMG_1.jpg', 'IMG_1.jpg.json', 'IMG_12.jpg.json'],
  // Since 2024: the suffix, cut anywhere
  ['IMG_1234.jpg', 'IMG_1234.jpg.supplemental-metadata.json'],
  ['IMG_20250112_100426.jpg', 'IMG_20250112_100426.jpg.supplemental-metadata.json'],
  ['PXL_20230809_203029137.jpg', 'PXL_20230809_203029137.jpg.supplemental-metada.json'],
  ['PXL_20230809_203029137.MP.jpg', 'PXL_20230809_203029137.MP.jpg.supplemental-met.json'],
  ['Screenshot_2024-01-31-08-30-59-123_app.jpg', 'Screenshot_2024-01-31-08-30-59-123_app.jpg.sup.json'],
  ...Array.from({ length: CUTS }, (_, n): [string, string] => [
    'IMG_1234.jpg',
    `IMG_1234.jpg.${'supplemental-metadata'.slice(0, n + 1)}.json`,
  ]),
  ['Peanut Butter Balls.jpg', 'Peanut Butter Balls.supplemental-metadata.json'],
  ['2234089303984509579.jpg', '2234089303984509579.supplemental-metadata.json'],
  ['2234089303984509579-edited.jpg', '2234089303984509579.supplemental-metadata.json'],
  [`${LONG}.JPG`, `${LONG}.JP.supplemental-meta.json`],
  [`${LONG}(1).JPG`, `${LONG}.JP.supplemental-meta(1).json`, `${LONG}.JP.supplemental-meta.json`],
  [`${LONG}.JPG`, `${LONG}.JPG.su.json`, `${LONG}.JPG.su(1).json`],
  [`${LONG}-ha edit.JPG`, `${LONG}.JP.supplemental-meta.json`],
  [`${LONG}-ha edit(1).JPG`, `${LONG}.JP.supplemental-meta(1).json`, `${LONG}.JP.supplemental-meta.json`],
  [`${LONG}-ha.JPG`, `${LONG}.JPG.su.json`],
  // A long name without room for the suffix
  [
    'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTU.jpg',
    'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRST.json',
  ],
  [
    'ThisIsAPhotoWithAVeryLongNameAndMoreThanFortySix.jpg',
    'ThisIsAPhotoWithAVeryLongNameAndMoreThanFortyS.json',
  ],
  // Numbers on either side
  ['IMG_1234(1).jpg', 'IMG_1234.jpg(1).json', 'IMG_1234.jpg.json'],
  ['IMG_1234.jpg', 'IMG_1234.jpg.json', 'IMG_1234.jpg(1).json'],
  ['IMG_1234(1).jpg', 'IMG_1234(1).jpg.json', 'IMG_1234.jpg.json'],
  ['IMG_1234(12).jpg', 'IMG_1234.jpg(12).json', 'IMG_1234.jpg(1).json'],
  [
    'IMG_1234(1).jpg',
    'IMG_1234.jpg.supplemental-metadata(1).json',
    'IMG_1234.jpg.supplemental-metadata.json',
  ],
  ['IMG_1234.jpg', 'IMG_1234.jpg.supplemental-metadata.json', 'IMG_1234.jpg.supplemental-metadata(1).json'],
  ['IMG_1234(2).jpg', 'IMG_1234.jpg.suppl(2).json', 'IMG_1234.jpg.suppl(1).json'],
  ['Rex (1).jpg', 'Rex (1).jpg.json'],
  ['Rex (2019).jpg', 'Rex (2019).jpg.supplemental-metadata.json'],
  // Edited, in many languages
  ['IMG_1234-edited.jpg', 'IMG_1234.jpg.json'],
  ['IMG_1234-edited(1).jpg', 'IMG_1234.jpg(1).json', 'IMG_1234.jpg.json'],
  ['IMG_1234-edited(1).jpg', 'IMG_1234.jpg.supplemental-metadata(1).json', 'IMG_1234.jpg.json'],
  ['IMG_1234-bearbeitet.jpg', 'IMG_1234.jpg.json'],
  ['IMG_1234-modifié.jpg', 'IMG_1234.jpg.json'],
  ['IMG_1234-modifie\u0301.jpg', 'IMG_1234.jpg.json'],
  ['IMG_1234-editado.jpg', 'IMG_1234.jpg.json'],
  ['IMG_1234-ha editado.jpg', 'IMG_1234.jpg.json'],
  ['IMG_1234-modificato.jpg', 'IMG_1234.jpg.json'],
  ['IMG_1234-bewerkt.jpg', 'IMG_1234.jpg.json'],
  ['IMG_1234-edytowane.jpg', 'IMG_1234.jpg.json'],
  ['IMG_1234-redigerad.jpg', 'IMG_1234.jpg.json'],
  ['IMG_1234-編集済み.jpg', 'IMG_1234.jpg.json'],
  ['IMG_1234-edited.jpg', 'IMG_1234-edited.jpg.json', 'IMG_1234.jpg.json'],
  ['IMG_1234-redigeret.jpg', 'IMG_1234.jpg.json'],
  ['IMG_1234-düzenlendi.jpg', 'IMG_1234.jpg.json'],
  ['IMG_1234-изменено.jpg', 'IMG_1234.jpg.json'],
  ['IMG_1234-편집됨.jpg', 'IMG_1234.jpg.json'],
  ['2234089303984509579-edited(1).jpg', '2234089303984509579.supplemental-metadata(1).json'],
  ['100-0016_IMG_2_2.JPG', '100-0016_IMG_2_2.JPG.supplemental-metadata.json'],
  // Live photos, and what was converted
  ['IMG_1234.JPG', 'IMG_1234.HEIC.supplemental-metadata.json'],
  ['IMG_1234.MP.jpg', 'IMG_1234.MP.jpg.json'],
  // None
  ['IMG_1234.jpg', null, 'IMG_1235.jpg.json'],
  ['IMG_1234.jpg', null, 'IMG_1234.jpg(1).json'],
  ['IMG_1234(1).jpg', null, 'IMG_1234.jpg.json'],
  ['IMG_1234-old.jpg', null, 'IMG_1234.jpg.json'],
  ['IMG_1234.jpg', null, 'metadata.json'],
  ['IMG_12345.jpg', null, 'IMG_1234.jpg.json'],
];

describe('the sidecar of a photo', () => {
  it('has a table of at least 60 names, without those that only cut the suffix', () => {
    expect(PAIRS.length - CUTS).toBeGreaterThanOrEqual(60);
  });

  it.each(PAIRS)('%s: %s', (photo, sidecar, other) => {
    const all = [other, sidecar].filter((each) => typeof each === 'string');
    expect([...pairNames([photo], all)]).toEqual(sidecar === null ? [] : [[photo, sidecar]]);
    expect(pairNames([photo], all.toReversed()).get(photo)).toBe(sidecar ?? undefined);
  });

  it('is found quickly in a folder of ten thousand', () => {
    const numbers = Array.from({ length: 10_000 }, (_, n) => n + 1);
    const photos = numbers.map((n) => `Rex (${n}).jpg`);
    const sidecars = numbers.map((n) => `Rex .jpg.supplemental-metadata(${n}).json`);
    const pairs = pairNames(photos, sidecars);
    expect(photos.map((photo) => pairs.get(photo))).toEqual(sidecars);
  });
});
