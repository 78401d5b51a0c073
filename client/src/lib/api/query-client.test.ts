import { QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { createQueryClient } from './query-client.ts';

const queryKey = ['pets'];

it('shows a first response from before an invalidation, and refetches', async () => {
  const client = createQueryClient(() => {});
  const resolvers: ((pets: string[]) => void)[] = [];
  const pets = new QueryObserver(client, {
    queryKey,
    queryFn: () => new Promise<string[]>((resolve) => resolvers.push(resolve)),
  });
  const shown: unknown[] = [];
  const stop = pets.subscribe(({ data }) => shown.push(data));
  const done = Promise.all([client.invalidateQueries({ queryKey }), client.invalidateQueries({ queryKey })]);
  resolvers[0]?.([]);
  await expect.poll(() => resolvers).toHaveLength(2);
  expect(shown.at(-1)).toEqual([]);
  resolvers[1]?.(['Rex']);
  await done;
  expect(pets.getCurrentResult()).toMatchObject({ data: ['Rex'], fetchStatus: 'idle' });
  expect(resolvers).toHaveLength(2);
  stop();
  client.clear();
});

it('refetches after a failed first fetch', async () => {
  const client = createQueryClient(() => {});
  const ends: { resolve: (pets: string[]) => void; fail: (error: Error) => void }[] = [];
  const pets = new QueryObserver(client, {
    queryKey,
    queryFn: () => new Promise<string[]>((resolve, fail) => ends.push({ resolve, fail })),
  });
  const stop = pets.subscribe(() => {});
  const done = client.invalidateQueries({ queryKey });
  ends[0]?.fail(new Error('The line broke'));
  await expect.poll(() => ends).toHaveLength(2);
  ends[1]?.resolve(['Rex']);
  await done;
  expect(pets.getCurrentResult()).toMatchObject({ data: ['Rex'], status: 'success' });
  stop();
  client.clear();
});
