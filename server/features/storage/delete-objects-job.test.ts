import { expect, it } from 'vitest';
import { deleteObjectsJob } from './delete-objects-job.ts';

it.each([
  [{ keys: ['originals/1', 'originals/2'] }, ['originals/1', 'originals/2']],
  [{ key: 'originals/1' }, ['originals/1']],
  [{ flipbookPdfId: 'f' }, ['flipbooks/f.pdf']],
  [{ partIds: ['p', 'q'] }, ['exports/p.zip', 'exports/q.zip']],
  [{ importId: 'i', chunks: 2 }, ['imports/i/0', 'imports/i/1']],
  [{ importId: 'i', chunks: 0 }, ['imports/i/data.json']],
])('parses %o, which may wait since an earlier release', (payload, keys) => {
  expect(deleteObjectsJob.parse(payload)).toEqual({ keys });
});

it('rejects an unknown payload', () => {
  expect(() => deleteObjectsJob.parse({ id: 'x' })).toThrow();
});
