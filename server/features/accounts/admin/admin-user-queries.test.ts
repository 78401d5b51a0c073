import { expect, it } from 'vitest';
import type { AdminUser } from '#shared/accounts/admin';
import type { TestClient } from '../../../testing/clients/test-client.ts';
import { startTestServer } from '../../../testing/test-server.ts';

const server = await startTestServer();

async function listLastAdmins(admin: TestClient): Promise<string[]> {
  const users = (await admin.get('/api/admin/users')).body as AdminUser[];
  return users.filter(({ isLastAdmin }) => isLastAdmin).map(({ id }) => id);
}

it('marks the only administrator who is not disabled as the last one', async () => {
  const admin = await server.signUpAdmin();
  const other = await server.signUp();
  const edit = (json: object) => admin.request('PATCH', `/api/admin/users/${other.userId}`, { json });
  expect(await listLastAdmins(admin)).toEqual([admin.userId]);
  expect((await edit({ isAdmin: true })).body).toMatchObject({ isAdmin: true, isLastAdmin: false });
  expect(await listLastAdmins(admin)).toEqual([]);
  await edit({ isDisabled: true });
  expect(await listLastAdmins(admin)).toEqual([admin.userId]);
});
