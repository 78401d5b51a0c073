import { expect, it } from 'vitest';
import { addMemory } from '../../testing/data/factories.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { updateMemory } from './memory-queries.ts';

it('updates most fields, then all of them, on one connection', async () => {
  const server = await startTestServer();
  const owner = await server.signUp();
  const { id } = await addMemory(owner);
  const most = {
    caption: 'At the beach',
    isLiked: true,
    memoryDay: '2024-02-29',
    memoryTime: '12:00:00',
    dateSource: 'person' as const,
    petId: null,
  };
  const updated = await server.context.db.transaction(async (tx) => {
    await updateMemory(tx, owner.userId, id, most);
    return updateMemory(tx, owner.userId, id, { ...most, tags: ['sea'] });
  });
  expect(updated).toMatchObject({ ...most, tags: ['sea'] });
});
