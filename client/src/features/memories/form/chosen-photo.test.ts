import { expect, it } from 'vitest';
import { MAX_UPLOAD_BYTES } from '#shared/transfers/upload';
import { isForForm } from './chosen-photo.ts';

function photo(size = 1): File {
  const file = new File(['photo'], 'rex.jpg', { type: 'image/jpeg' });
  Object.defineProperty(file, 'size', { value: size });
  return file;
}

it.each<[string, boolean, File[]]>([
  ['one photo', true, [photo(MAX_UPLOAD_BYTES)]],
  ['a photo that only "Add many" takes', false, [photo(MAX_UPLOAD_BYTES + 1)]],
  ['two photos', false, [photo(), photo()]],
  ['a file that is no photo', false, [new File(['Once'], 'story.txt', { type: 'text/plain' })]],
  ['nothing', false, []],
])('the form takes %s: %s', (_, isTaken, files) => {
  expect(isForForm({ entries: [], files })).toBe(isTaken);
});
