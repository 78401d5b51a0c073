import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it } from 'vitest';
import { OwnChanges } from './own-changes.ts';

let queryClient: QueryClient;
let own: OwnChanges;
beforeEach(() => {
  queryClient = new QueryClient();
  own = new OwnChanges(queryClient);
});

function change<Sent, Answered>(sent: Sent, answered: Answered | Error): Promise<unknown> {
  const mutationFn = () => (answered instanceof Error ? Promise.reject(answered) : Promise.resolve(answered));
  const mutation = queryClient.getMutationCache().build(queryClient, { mutationFn });
  return mutation.execute(sent as never).catch(() => undefined);
}

it('what was made, changed or deleted here is no news', async () => {
  await change({ caption: 'Snow' }, { id: 'made' });
  await change({ memory: { id: 'loved' } }, { id: 'loved' });
  await change({ id: 'deleted' }, undefined);
  await change('a pet', undefined);
  expect(own.without(['made', 'loved', 'deleted', 'a pet', 'of others'])).toEqual(['of others']);
});

it('each change here comes back once: one more is a change elsewhere', async () => {
  await change({ id: 'a' }, { id: 'a' });
  await change({ id: 'a' }, { id: 'a' });
  expect(own.without(['a', 'a'])).toEqual([]);
  await change({ id: 'a' }, { id: 'a' });
  expect(own.without(['a', 'b', 'a', 'b'])).toEqual(['b', 'a']);
});

it('what failed has changed nothing here', async () => {
  await change({ id: 'a' }, new Error('No'));
  expect(own.without(['a'])).toEqual(['a']);
});

it('many are many', async () => {
  await change({ id: 'a' }, { id: 'a' });
  expect(own.without('many')).toBe('many');
});

it('nothing is noted any more once it has stopped', async () => {
  own.stop();
  await change({ id: 'a' }, { id: 'a' });
  expect(own.without(['a'])).toEqual(['a']);
});
