import { expect, it } from 'vitest';
import { toCsv } from './to-csv.ts';

it('quotes what the file’s name contains, and makes no formulas', () => {
  expect(
    toCsv([
      { path: '2019/a "b", c.txt', size: 12, reason: 'This file is not a photo.' },
      { path: '//share-sheet/7/image.jpg', size: 3, reason: 'Your album is full.' },
      { path: '=HYPERLINK("x").jpg', size: 0, reason: null },
    ]),
  ).toBe(
    '\uFEFF"File","Bytes","Reason"\r\n' +
      '"2019/a ""b"", c.txt","12","This file is not a photo."\r\n' +
      '"image.jpg","3","Your album is full."\r\n' +
      `"'=HYPERLINK(""x"").jpg","0",""\r\n`,
  );
});
