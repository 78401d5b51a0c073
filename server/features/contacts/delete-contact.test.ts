import { expect, it, vi } from 'vitest';
import { addContact } from '../../testing/data/factories.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { TIMEOUT } from '../../testing/timing/timeout.ts';

it('deletes a contact whose email is being leased concurrently', async () => {
  const server = await startTestServer();
  const { db } = server.context;
  const owner = await server.signUp();
  const { id } = await addContact(owner);
  const isBlocked = async () => {
    const { rows } = await db.execute(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  };
  const { deleted } = await db.transaction(async (lease) => {
    await lease.execute(`select from emails where contact_id = '${id}' for update`);
    const deleted = owner.request('DELETE', `/api/contacts/${id}`);
    await vi.waitUntil(isBlocked, TIMEOUT);
    // The foreign key of a new link for this contact takes the same lock.
    await lease.execute(`select from contacts where id = '${id}' for key share`);
    return { deleted };
  });
  expect((await deleted).status).toBe(204);
});
