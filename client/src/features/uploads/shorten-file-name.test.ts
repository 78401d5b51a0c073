import { describe, expect, it } from 'vitest';
import { shortenFileName } from './shorten-file-name.ts';

describe('shortenFileName', () => {
  it.each([
    ['IMG_0001.HEIC', 'IMG_0001.HEIC'],
    ['biscuit-at-the-lake-in-the-summer-of-2024-evening.jpeg', 'biscuit-at-the-l…ning.jpeg'],
    ['biscuit at the lake. In the summer of 2024, in the evening', 'biscuit at the lake. …ning'],
    [`${'猫'.repeat(40)}.png`, '猫猫猫猫猫猫…猫猫猫猫.png'],
    [`${'👩‍🚀'.repeat(40)}.png`, '👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀…👩‍🚀👩‍🚀👩‍🚀👩‍🚀.png'],
  ])('%s becomes %s', (name, short) => expect(shortenFileName(name)).toBe(short));
});
