import { QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { createQueryClient } from './query-client.ts';

const queryKey = ['pets'];

it('shows a first response from before an invalidation, and refetches', async () => {
  const client = createQueryClient(() => {});
  const answers: ((pets: string[]) => void)[] = [];
  const pets = new QueryObserver(client, {
    queryKey,
    queryFn: () => new Promise<string[]>((resolve) => answers.push(resolve)),
  });
  const shown: unknown[] = [];
  const stop = pets.subscribe(({ data }) => shown.push(data));
  const done = Promise.all([client.invalidateQueries({ queryKey }), client.invalidateQueries({ queryKey })]);
  answers[0]?.([]);
  await expect.poll(() => answers).toHaveLength(2);
  expect(shown.at(-1)).toEqual([]);
  answers[1]?.(['Rex']);
  await done;
  expect(pets.getCurrentResult()).toMatchObject({ data: ['Rex'], fetchStatus: 'idle' });
  expect(answers).toHaveLength(2);
  stop();
  client.clear();
});

it('refetches after a failed first fetch', async () => {
  const client = createQueryClient(() => {});
  const ends: { answer: (pets: string[]) => void; fail: (error: Error) => void }[] = [];
  const pets = new QueryObserver(client, {
    queryKey,
    queryFn: () => new Promise<string[]>((answer, fail) => ends.push({ answer, fail })),
  });
  const stop = pets.subscribe(() => {});
  const done = client.invalidateQueries({ queryKey });
  ends[0]?.fail(new Error('The line broke'));
  await expect.poll(() => ends).toHaveLength(2);
  ends[1]?.answer(['Rex']);
  await done;
  expect(pets.getCurrentResult()).toMatchObject({ data: ['Rex'], status: 'success' });
  stop();
  client.clear();
});
