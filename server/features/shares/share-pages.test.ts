import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import pg from 'pg';
import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { ContactList } from '#shared/album/contact';
import { ShareList } from '#shared/album/share';
import { addContact, addMemory, addPet, deleteMemory } from '../../testing/data/factories.ts';
import { readOutbox, type OutboxEmail } from '../../testing/clients/dev-outbox.ts';
import { makeHeavyPhoto } from '../../testing/photos/photos.ts';
import { readPages } from '../../testing/clients/read-pages.ts';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { startTestServer } from '../../testing/test-server.ts';

let owner: TestClient & { userId: string };
let people = 0;
let address = '';

const server = await startTestServer({ env: { MAIL_GROUPING_SECONDS: '0', CONTACTS_PER_DAY: '1000' } });
beforeEach(async () => {
  owner = await server.signUp();
  address = `ingrid${++people}@family.example`;
});

const emails = async (): Promise<OutboxEmail[]> => {
  await server.drainJobs();
  return (await readOutbox(server.dataDir)).filter(({ to }) => to === address);
};
const pathOf = (url = '') => new URL(url).pathname;
const contacts = async () => ContactList.parse((await owner.get('/api/contacts')).body);

describe('the unsubscribe link of an email', () => {
  it('asks for confirmation and unsubscribes by its button', async () => {
    await addContact(owner, { email: address });
    const [welcome] = await emails();
    const stop = pathOf(welcome?.unsubscribeUrl);
    const visitor = server.visitor();
    const asked = await visitor.get(stop);
    expect(asked.headers.get('X-Robots-Tag')).toBe('noindex');
    expect(asked.text).toContain('<form method="post">');
    expect(await contacts()).toMatchObject([{ isActive: true, status: 'ok' }]);
    const stopped = await visitor.request('POST', stop, {
      body: '',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(stopped.text).toContain('You will no longer get emails');
    expect(await contacts()).toMatchObject([{ isActive: false, status: 'unsubscribed' }]);
    expect((await visitor.get(stop)).text).toContain('You will no longer get emails');
  });

  it('accepts a cross-site one-click POST without a session', async () => {
    await addContact(owner, { email: address });
    const [welcome] = await emails();
    const response = await fetch(new URL(pathOf(welcome?.unsubscribeUrl), server.origin), {
      method: 'POST',
      body: 'List-Unsubscribe=One-Click',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        'Sec-Fetch-Site': 'cross-site',
        Origin: 'https://mail.example',
      },
    });
    expect(response.status).toBe(200);
    await addMemory(owner);
    expect(await emails()).toHaveLength(1);
  });

  it('accepts a one-click POST as multipart/form-data (RFC 8058)', async () => {
    await addContact(owner, { email: address });
    const [welcome] = await emails();
    const body =
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
    const asked = request(new URL(pathOf(welcome?.unsubscribeUrl), server.origin), {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': body.length },
    });
    asked.end(body);
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(200);
    expect(await contacts()).toMatchObject([{ status: 'unsubscribed' }]);
  });

  it('still applies when the contact is activated, or removed and added again', async () => {
    const { id } = await addContact(owner, { email: address });
    const [welcome] = await emails();
    const stop = pathOf(welcome?.unsubscribeUrl);
    await owner.request('DELETE', `/api/contacts/${id}`);
    await server.visitor().post(stop);
    const again = await addContact(owner, { email: address.toUpperCase() });
    expect(again).toMatchObject({ isActive: false, status: 'unsubscribed' });
    const on = await owner.request('PATCH', `/api/contacts/${again.id}`, { json: { isActive: true } });
    expect([on.status, on.body]).toEqual([
      409,
      { message: expect.stringContaining('has unsubscribed') as string, code: 'conflict' },
    ]);
    await addMemory(owner);
    expect(await emails()).toHaveLength(1);
  });

  it('unsubscribes from one owner only', async () => {
    await addContact(owner, { email: address });
    const [welcome] = await emails();
    await server.visitor().post(pathOf(welcome?.unsubscribeUrl));
    const other = await server.signUp();
    await addContact(other, { email: address });
    await addMemory(other);
    expect(await emails()).toHaveLength(3);
  });

  it('responds with a 404 page for an unknown token', async () => {
    for (const path of ['/unsubscribe/unknown', '/preferences/unknown', '/p/unknown', `/p/${'%00'}`]) {
      const { status, text } = await server.visitor().get(path);
      expect([path, status]).toEqual([path, 404]);
      expect(text).toContain('This link no longer works');
    }
    expect((await server.visitor().post('/unsubscribe/unknown')).status).toBe(404);
  });
});

describe('public pages', () => {
  it('use the app’s fonts', async () => {
    const { text } = await server.visitor().get('/p/unknown');
    expect(text).toContain("font: 1rem/1.625 'Figtree Variable'");
    const files = [...text.matchAll(/url\((\/fonts\/[^)]+)\)/g)].map(([, file]) => file ?? '');
    expect(files).toContain('/fonts/fraunces-latin-opsz-normal.woff2');
    expect(files).toContain('/fonts/figtree-latin-wght-normal.woff2');
    for (const file of files) {
      const { status, headers, bytes } = await server.visitor().get(file);
      expect([file, status, headers.get('Content-Type')]).toEqual([file, 200, 'font/woff2']);
      expect(bytes.subarray(0, 4).toString()).toBe('wOF2');
    }
  });
});

describe('the preferences page', () => {
  const choose = (path: string, fields: [string, string][]) =>
    server.visitor().request('POST', path, {
      body: new URLSearchParams(fields).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });

  it('sets the frequency and the pets', async () => {
    const rex = await addPet(owner, { name: 'Rex' });
    const mia = await addPet(owner, { name: 'Mia' });
    await addContact(owner, { email: address });
    const [welcome] = await emails();
    const preferences = pathOf(welcome?.unsubscribeUrl).replace('unsubscribe', 'preferences');
    const offered: [string, string][] = [rex, mia].map(({ id }) => ['offered', id]);
    const saved = await choose(preferences, [['frequency', 'every'], ...offered, ['pet', mia.id]]);
    expect(saved.text).toContain('Saved');
    for (const petId of [rex.id, mia.id, undefined]) await addMemory(owner, { ...(petId && { petId }) });
    expect((await emails()).map(({ subject }) => subject.split(' ').at(-1))).toEqual(['you', 'Mia', 'photo']);

    await choose(preferences, [['frequency', 'weekly'], ...offered, ['pet', mia.id], ['pet', rex.id]]);
    await addMemory(owner, { petId: rex.id });
    expect(await emails()).toHaveLength(3);
    await choose(preferences, [['frequency', 'every'], ...offered, ['pet', mia.id], ['pet', rex.id]]);
    expect(await emails()).toHaveLength(4);

    await choose(preferences, [['frequency', 'none']]);
    expect(await contacts()).toMatchObject([{ status: 'unsubscribed', isActive: false }]);
    await choose(preferences, [['frequency', 'every']]);
    expect(await contacts()).toMatchObject([{ status: 'ok', isActive: true }]);
  });

  it('resubscribes, but does not activate a contact that the owner has switched off', async () => {
    const { id } = await addContact(owner, { email: address });
    const [welcome] = await emails();
    const stop = pathOf(welcome?.unsubscribeUrl);
    await owner.request('PATCH', `/api/contacts/${id}`, { json: { isActive: false } });
    await server.visitor().post(stop);
    await choose(stop.replace('unsubscribe', 'preferences'), [['frequency', 'every']]);
    expect(await contacts()).toMatchObject([{ status: 'ok', isActive: false }]);
    await addMemory(owner);
    expect(await emails()).toHaveLength(1);
  });

  it('ignores an invalid form and another owner’s pets', async () => {
    await addContact(owner, { email: address });
    const [welcome] = await emails();
    const preferences = pathOf(welcome?.unsubscribeUrl).replace('unsubscribe', 'preferences');
    const theirs = await addPet(await server.signUp());
    expect((await choose(preferences, [['frequency', 'daily']])).text).not.toContain('Saved');
    expect(
      (
        await choose(preferences, [
          ['frequency', 'every'],
          ['offered', theirs.id],
          ['offered', 'x'],
        ])
      ).status,
    ).toBe(200);
    expect(await contacts()).toMatchObject([{ status: 'ok', isActive: true }]);
  });
});

describe('the public page of a photo', () => {
  it('shows the photo without metadata to visitors without an account', async () => {
    const { id } = await addMemory(owner, { caption: 'First <b>snow</b>' });
    const shared = await owner.post(`/api/memories/${id}/share`);
    const { url } = shared.body as { url: string };
    expect((await owner.post(`/api/memories/${id}/share`)).body).toEqual({ url });
    const page = await server.visitor().get(pathOf(url));
    expect(page.text).toContain('First &lt;b&gt;snow&lt;/b&gt;');
    expect(page.text).toContain(`property="og:image" content="${url}/preview.jpg"`);
    expect(page.headers.get('X-Robots-Tag')).toBe('noindex');
    // Nothing identifies the rest of the account.
    expect(page.text).not.toMatch(/\/objects\/|\/api\/|@mems\.example/);
    expect([page.text.includes(id), page.text.includes(owner.userId)]).toEqual([false, false]);
    const photo = await server.visitor().get(`${pathOf(url)}/photo.jpg`);
    expect(photo.headers.get('Content-Type')).toBe('image/jpeg');
    expect((await sharp(photo.bytes).metadata()).exif).toBeUndefined();
  });

  it.each([
    ['of fine texture', { width: 1600, height: 1200 }, [1200, 900]],
    ['that is tall', { width: 1000, height: 4000 }, [600, 1200]],
    ['that is wide', { width: 3000, height: 500 }, [1200, 200]],
    ['that is small', { width: 90, height: 60 }, [600, 400]],
    ['that is square', { width: 1500, height: 1500 }, [1200, 1200]],
  ])('has a preview below 300 kB whose size it states, of a photo %s', async (_kind, size, expected) => {
    const { id } = await addMemory(owner, { photo: await makeHeavyPhoto(size.width, size.height) });
    const { url } = (await owner.post(`/api/memories/${id}/share`)).body as { url: string };
    const page = await server.visitor().get(pathOf(url));
    const read = (name: string) => new RegExp(`property="${name}" content="([^"]+)"`).exec(page.text)?.[1];
    expect([read('og:image:width'), read('og:image:height')].map(Number)).toEqual(expected);
    const preview = await server.visitor().get(pathOf(read('og:image')));
    expect(preview.headers.get('Content-Type')).toBe(read('og:image:type'));
    expect(preview.bytes.length).toBeLessThan(300_000);
    const { format, width, height, exif } = await sharp(preview.bytes).metadata();
    expect({ format, size: [width, height], exif }).toEqual({
      format: 'jpeg',
      size: expected,
      exif: undefined,
    });
  });

  it('is linked from each email, and is 404 once its memory or contact is deleted', async () => {
    const { id: contactId } = await addContact(owner, { email: address });
    const { id } = await addMemory(owner);
    const page = async () => {
      const email = (await emails()).at(-1);
      const path = /\/p\/[\w-]+/.exec(email?.html ?? '')?.[0] ?? '';
      const responses = [await server.visitor().get(path), await server.visitor().get(`${path}/photo.jpg`)];
      return responses.map(({ status }) => status);
    };
    expect(await page()).toEqual([200, 200]);
    await deleteMemory(owner, id);
    expect(await page()).toEqual([404, 404]);
    await owner.post(`/api/memories/${id}/restore`);
    expect(await page()).toEqual([200, 200]);
    await owner.request('DELETE', `/api/contacts/${contactId}`);
    expect(await page()).toEqual([404, 404]);
  });

  it('is listed for and revoked by its owner only', async () => {
    await addContact(owner, { email: address, name: 'Ingrid' });
    const { id } = await addMemory(owner);
    await emails();
    const { url } = (await owner.post(`/api/memories/${id}/share`)).body as { url: string };
    const list = async (query = '') => ShareList.parse((await owner.get(`/api/shares${query}`)).body);
    const shares = await list();
    expect(shares.map(({ contactName, memoryId }) => [contactName, memoryId])).toEqual([
      [null, id],
      ['Ingrid', id],
    ]);
    expect(await readPages(owner, '/api/shares?limit=1')).toEqual([[shares[0]], [shares[1]]]);
    expect(await list('?for=anyone')).toEqual([shares[0]]);
    expect(await list('?for=contact')).toEqual([shares[1]]);
    expect((await owner.get('/api/shares?for=unknown')).status).toBe(422);
    const shared = async (client: TestClient) => (await client.get(`/api/memories/${id}/share`)).body;
    expect(await shared(owner)).toEqual({ url });
    const other = await server.signUp();
    const revoke = (client: TestClient) => client.request('DELETE', `/api/shares/${shares[0]?.id}`);
    expect((await revoke(other)).status).toBe(404);
    expect((await other.post(`/api/memories/${id}/share`)).status).toBe(404);
    expect([(await revoke(owner)).status, (await revoke(owner)).status]).toEqual([204, 204]);
    expect((await server.visitor().get(pathOf(url))).status).toBe(404);
    expect(await shared(owner)).toEqual({ url: null });
    const renewed = (await owner.post(`/api/memories/${id}/share`)).body as { url: string };
    expect(renewed.url).not.toBe(url);
    await owner.request('DELETE', `/api/memories/${id}/share`);
    expect((await server.visitor().get(pathOf(renewed.url))).status).toBe(404);
    expect(ShareList.parse((await owner.get('/api/shares')).body)).toHaveLength(1);
  });

  it('gets a new link when the existing share is revoked concurrently', async () => {
    const { id } = await addMemory(owner);
    const share = () => owner.post(`/api/memories/${id}/share`);
    const { url } = (await share()).body as { url: string };
    const client = new pg.Client({ connectionString: server.databaseUrl });
    await client.connect();
    // Between the insert, which finds the existing share, and the read.
    await client.query(`
      create function revoke_existing_share() returns trigger language plpgsql as $$ begin
        if not exists (select from added) then update shares set revoked_at = now() where memory_id = '${id}'; end if;
        return null;
      end $$;
      create trigger revoke_existing_share after insert on shares referencing new table as added
        execute function revoke_existing_share()`);
    const renewed = await share();
    await client.query('drop function revoke_existing_share cascade');
    await client.end();
    expect(renewed.status).toBe(200);
    expect(renewed.body).not.toEqual({ url });
  });
});
