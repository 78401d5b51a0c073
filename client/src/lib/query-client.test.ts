import { QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { createQueryClient } from './query-client.ts';

it('asks anew for what is invalidated while it is on its way for the first time', async () => {
  const client = createQueryClient(() => {});
  const answers: ((pets: string[]) => void)[] = [];
  const pets = new QueryObserver(client, {
    queryKey: ['pets'],
    queryFn: () => new Promise<string[]>((resolve) => answers.push(resolve)),
  });
  const stop = pets.subscribe(() => {});
  const done = client.invalidateQueries({ queryKey: ['pets'] });
  answers[0]?.([]);
  answers[1]?.(['Rex']);
  await done;
  expect(pets.getCurrentResult()).toMatchObject({ data: ['Rex'], fetchStatus: 'idle' });
  stop();
  client.clear();
});
