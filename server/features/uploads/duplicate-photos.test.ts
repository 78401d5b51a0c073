import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CompletedUpload } from '#shared/album/memory';
import type { KnownPhotos } from '#shared/transfers/upload';
import { memoriesOf, trashOf } from '../../testing/clients/album.ts';
import type { TestClient } from '../../testing/clients/test-client.ts';
import { addMemory, addPet, completeUpload, deleteMemory, putPhoto } from '../../testing/data/factories.ts';
import { sendEmailAndWait, signUpEmailOwner } from '../../testing/data/inbound-email.ts';
import { repliesTo, signUpSmsOwner, startSmsServer, type SmsOwner } from '../../testing/data/inbound-sms.ts';
import { startTwilioServer, type TestTwilioServer } from '../../testing/fakes/twilio-server.ts';
import { copyOfPhoto, makePhoto } from '../../testing/photos/photos.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let twilio: TestTwilioServer;
let owner: SmsOwner;
let photo: Buffer;
let now = new Date();

beforeAll(async () => {
  twilio = await startTwilioServer();
  server = await startSmsServer(twilio, {
    env: { UPLOADS_PER_MINUTE: '1000' },
    overrides: { clock: { now: () => now } },
  });
});

beforeEach(async () => {
  now = new Date();
  owner = await signUpSmsOwner(server, twilio);
  photo = await makePhoto();
});

const add = async (client: TestClient, details: object = {}, bytes = photo) =>
  completeUpload(client, { uploadURL: await putPhoto(client, bytes), ...details });

const addByText = (body = '') =>
  owner.sendSmsAndWait({ media: [twilio.media.attach(photo, 'image/jpeg')], body });

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const ask = (client: TestClient, hashes: unknown) => client.post('/api/uploads/known', { hashes });
/** The account's storage usage, and the number of stored originals. */
const storedBy = async ({ context, dataDir }: TestServer, ownerId: string) => {
  const { rows } = await context.db.execute(`select bytes from storage_usage where owner_id = '${ownerId}'`);
  return { rows, originals: (await readdir(join(dataDir, 'objects/originals'))).length };
};

describe('the same photo', () => {
  it.each([
    ['by web and then by text', () => add(owner), () => addByText()],
    ['by text and then by web', () => addByText(), () => add(owner)],
    ['by text twice', () => addByText(), () => addByText()],
  ])('%s is one memory', async (_doors, addFirst, addAgain) => {
    await addFirst();
    // Its copies count.
    await server.drainJobs();
    const [before, stored] = [await memoriesOf(owner), await storedBy(server, owner.userId)];
    expect(before).toHaveLength(1);
    await addAgain();
    await server.drainJobs();
    expect(await memoriesOf(owner)).toEqual(before);
    expect(await storedBy(server, owner.userId)).toEqual(stored);
  });

  it('by email and the web is one memory', async () => {
    const local = await startTestServer();
    const sender = await signUpEmailOwner(local);
    const photos = [{ name: 'photo.jpg', bytes: photo }];
    await sendEmailAndWait(local, sender, { subject: 'Snow', photos });
    const stored = await storedBy(local, sender.userId);
    await sendEmailAndWait(local, sender, { subject: 'Again', photos });
    expect((await add(sender)).status).toBe(200);
    await local.drainJobs();
    expect(await memoriesOf(sender)).toMatchObject([{ caption: 'Snow' }]);
    expect(await storedBy(local, sender.userId)).toEqual(stored);
  });

  it('twenty times at once is one memory', async () => {
    const uploads: string[] = [];
    for (let n = 0; n < 20; n++) uploads.push(await putPhoto(owner, photo));
    const answers = await Promise.all(uploads.map((uploadURL) => completeUpload(owner, { uploadURL })));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(19).fill(200), 201]);
    const ids = answers.map(({ body }) => (body as CompletedUpload).id);
    expect(new Set(ids).size).toBe(1);
    expect(await memoriesOf(owner)).toHaveLength(1);
  });

  it('is another memory in another album, and with other bytes', async () => {
    await add(owner);
    const other = await server.signUp();
    expect((await add(other)).status).toBe(201);
    expect((await add(owner, {}, copyOfPhoto(photo))).status).toBe(201);
  });

  it('answers with the memory that has it, and fills in what that lacks', async () => {
    const { id: petId } = await addPet(owner);
    const details = { caption: 'First snow', tags: 'snow, cold', petId, memoryDate: '2020-01-02' };
    const first = (await add(owner)).body as CompletedUpload;
    const second = await add(owner, details);
    expect([second.status, second.body]).toEqual([
      200,
      {
        ...first,
        ...details,
        tags: ['snow', 'cold'],
        dateSource: 'person',
        before: 'album',
      },
    ]);
    const third = await add(owner, { caption: 'Another', tags: 'other', memoryDate: '2021-01-02' });
    expect(third.body).toEqual(second.body);
    expect((await owner.get('/api/memories/search?q=snow')).body).toHaveLength(1);
  });

  it('says so again when the request is repeated', async () => {
    await add(owner);
    now = new Date(now.getTime() + 1);
    const uploadURL = await putPhoto(owner, photo);
    const [first, second] = [
      await completeUpload(owner, { uploadURL }),
      await completeUpload(owner, { uploadURL }),
    ];
    expect([second.status, second.body]).toEqual([200, first.body]);
  });

  it('comes back from the trash, with the new words', async () => {
    const { id } = await addMemory(owner, { photo, caption: 'Snow', tags: 'cold' });
    await deleteMemory(owner, id);
    const response = await add(owner, { caption: 'Other' });
    expect([response.status, response.body]).toMatchObject([
      200,
      { id, caption: 'Other', tags: ['cold'], before: 'trash' },
    ]);
    expect([await memoriesOf(owner), await trashOf(owner)]).toMatchObject([[{ id }], []]);
  });

  it('comes back from the trash without a date if the person cleared it', async () => {
    const { id } = await addMemory(owner, { photo, memoryDate: '2020-01-02T08:30' });
    const undated = { isUndated: true, fileName: 'IMG_20180131_083059.jpg' };
    expect((await add(owner, undated)).body, 'in the album').toMatchObject({
      memoryDate: '2020-01-02T08:30',
    });
    await deleteMemory(owner, id);
    const none = { memoryDate: null, dateSource: null, before: 'trash' };
    expect((await add(owner, undated)).body).toMatchObject(none);
  });

  it('is new when its memory can no longer be restored', async () => {
    const { id } = await addMemory(owner, { photo });
    await deleteMemory(owner, id);
    await server.context.db.execute(
      `update memories set deleted_at = deleted_at - interval '31 days' where id = '${id}'`,
    );
    const response = await add(owner);
    expect(response.status).toBe(201);
    expect((response.body as CompletedUpload).id).not.toBe(id);
    expect(await trashOf(owner)).toEqual([]);
  });

  it('is not taken back by UNDO when another door added it', async () => {
    await add(owner);
    now = new Date(now.getTime() + 1);
    await addByText();
    await owner.sendSmsAndWait({ body: 'UNDO' });
    expect(await memoriesOf(owner)).toHaveLength(1);
    expect(repliesTo(twilio, owner.phone)).toEqual([
      'Your photo was not added. We already have this photo.',
      'Your last photos were in your album before you sent them. Nothing was changed.',
    ]);
  });

  it('that a text restored is the one that the next texts are about', async () => {
    const { id: petId } = await addPet(owner, { name: 'Rex' });
    await addPet(owner, { name: 'Mia' });
    const { id } = await addMemory(owner, { photo });
    await deleteMemory(owner, id);
    await owner.sendSmsAndWait({ media: owner.photos(1), body: 'Other' });
    await addByText();
    await owner.sendSmsAndWait({ body: 'Rex' });
    expect(await memoriesOf(owner)).toMatchObject([
      { caption: 'Other', petId: null },
      { id, petId },
    ]);
    await owner.sendSmsAndWait({ body: 'UNDO' });
    expect([await memoriesOf(owner), await trashOf(owner)]).toMatchObject([[{ caption: 'Other' }], [{ id }]]);
  });

  it('stays when a retried text finds that it was added meanwhile', async () => {
    await owner.sendSms({ media: [twilio.media.attach(photo, 'image/jpeg')] });
    twilio.media.failNext({ status: 503 });
    await expect(server.drainJobs()).rejects.toThrow();
    now = new Date(now.getTime() + 1);
    await add(owner);
    await server.drainJobs();
    await owner.sendSmsAndWait({ body: 'UNDO' });
    expect(await memoriesOf(owner)).toHaveLength(1);
  });

  it('counts as added by a retried text that restored it', async () => {
    const { id } = await addMemory(owner, { photo });
    await deleteMemory(owner, id);
    await owner.sendSms({ media: [...owner.photos(1), twilio.media.attach(photo, 'image/jpeg')] });
    twilio.media.failNext({ status: 503 });
    await expect(server.drainJobs()).rejects.toThrow();
    await server.drainJobs();
    expect(repliesTo(twilio, owner.phone)).toEqual(['Added 2 photos. Reply UNDO to take them back.']);
  });

  it('gets the date of a sidecar or a file name where it has none', async () => {
    const first = (await add(owner)).body as CompletedUpload;
    expect(first.memoryDate).toBeNull();
    const sidecarDate = { source: 'takeout', date: '2019-05-05T10:00' };
    const dated = { memoryDate: '2019-05-05T10:00', dateSource: 'takeout' };
    expect((await add(owner, { sidecarDate, fileName: 'IMG_20180131.jpg' })).body).toMatchObject(dated);
    await deleteMemory(owner, first.id);
    expect((await add(owner, { fileName: 'IMG_20180131.jpg' })).body).toMatchObject(dated);
  });

  it('keeps its details when the album has no room for new ones', async () => {
    const { id } = (await add(owner)).body as CompletedUpload;
    const uploadURL = await putPhoto(owner, photo);
    const limit = `update users set storage_limit_bytes = 1 where id = '${owner.userId}'`;
    await server.context.db.execute(limit);
    expect((await completeUpload(owner, { uploadURL, caption: 'Snow' })).status).toBe(413);
    expect(await memoriesOf(owner)).toMatchObject([{ id, caption: null }]);
  });
});

/** Earlier releases let an album have a photo twice. */
describe('an earlier duplicate', () => {
  let first: CompletedUpload;
  let second: CompletedUpload;
  beforeEach(async () => {
    first = (await add(owner)).body as CompletedUpload;
    second = (await add(owner, {}, copyOfPhoto(photo))).body as CompletedUpload;
    const { db } = server.context;
    await db.execute(`update memories set image_sha256 = null where id = '${second.id}'`);
    await db.execute(
      `update images set sha256 = '${hashOf(photo)}' where id = (select image_id from memories where id = '${second.id}')`,
    );
  });
  const known = async () => ((await ask(owner, [hashOf(photo)])).body as KnownPhotos).known;

  it('stands for the photo when the other one is deleted, and purged', async () => {
    await deleteMemory(owner, first.id);
    const inAlbum = [{ sha256: hashOf(photo), memoryId: second.id, isDeleted: false }];
    expect(await known()).toEqual(inAlbum);
    expect((await add(owner)).body).toMatchObject({ id: second.id, before: 'album' });
    expect((await owner.request('DELETE', `/api/memories/deleted/${first.id}`)).status).toBe(204);
    expect(await known()).toEqual(inAlbum);
    expect((await add(owner)).body).toMatchObject({ id: second.id, before: 'album' });
  });

  it('makes room for the photo when both are past their time in the trash', async () => {
    for (const { id } of [first, second]) await deleteMemory(owner, id);
    await server.context.db.execute(
      `update memories set deleted_at = deleted_at - interval '31 days' where owner_id = '${owner.userId}'`,
    );
    expect(await known()).toEqual([]);
    expect((await add(owner)).status).toBe(201);
    expect(await memoriesOf(owner)).toHaveLength(1);
  });
});

describe('POST /api/uploads/known', () => {
  it('tells which photos the album and its trash have', async () => {
    const [kept, deleted] = [await addMemory(owner, { photo }), await makePhoto()];
    const { id } = await addMemory(owner, { photo: deleted });
    await deleteMemory(owner, id);
    const response = await ask(owner, [hashOf(photo), hashOf(deleted), hashOf(await makePhoto())]);
    expect(response.status).toBe(200);
    const { known } = response.body as KnownPhotos;
    expect(known).toHaveLength(2);
    expect(known).toEqual(
      expect.arrayContaining([
        { sha256: hashOf(photo), memoryId: kept.id, isDeleted: false },
        { sha256: hashOf(deleted), memoryId: id, isDeleted: true },
      ]),
    );
    expect((await ask(await server.signUp(), [hashOf(photo)])).body).toEqual({ known: [] });
    expect((await ask(server.visitor(), [hashOf(photo)])).status).toBe(401);
  });

  it('takes 1 to 1,000 hashes', async () => {
    const hashes = Array.from({ length: 1001 }, (_, n) => hashOf(Buffer.from(String(n))));
    expect((await ask(owner, hashes.slice(1))).body).toEqual({ known: [] });
    for (const bad of [hashes, [], undefined, 'a', [hashes[0]?.toUpperCase()], ['a'], [null]])
      expect([bad?.length, (await ask(owner, bad)).status]).toEqual([bad?.length, 422]);
  });
});

describe('the date of a photo', () => {
  const sidecarDate = { source: 'takeout', date: '2019-05-05T10:00' };
  const fileName = 'IMG_20180131_083059.jpg';

  it.each([
    [{ memoryDate: '2020-01-02', sidecarDate, fileName }, '2020-01-02', 'person'],
    [{ exifDate: '2020-01-02T08:00', sidecarDate, fileName }, '2019-05-05T10:00', 'takeout'],
    [{ exifDate: '2019-05-05T08:00', sidecarDate, fileName }, '2019-05-05T08:00', 'exif'],
    [{ sidecarDate: { ...sidecarDate, source: 'icloud' }, fileName }, '2019-05-05T10:00', 'icloud'],
    [{ fileName }, '2018-01-31T08:30', 'file-name'],
    [{ fileName: 'rex.jpg' }, null, null],
  ])('%j', async (candidates, memoryDate, dateSource) => {
    expect((await add(owner, candidates)).body).toMatchObject({ memoryDate, dateSource });
  });

  it('has the source “person” after an edit, and none when it is cleared', async () => {
    const { id } = (await add(owner, { fileName })).body as CompletedUpload;
    const edit = async (memoryDate: string | null) =>
      (await owner.request('PATCH', `/api/memories/${id}`, { json: { memoryDate } })).body;
    expect(await edit('2020-01-02')).toMatchObject({
      memoryDate: '2020-01-02T08:30',
      dateSource: 'person',
    });
    expect(await edit(null)).toMatchObject({ memoryDate: null, dateSource: null });
  });

  it('is rejected with a message when it is malformed', async () => {
    const uploadURL = await putPhoto(owner, photo);
    for (const bad of [
      { sidecarDate: { source: 'person', date: '2019-05-05' } },
      { sidecarDate: { source: 'icloud', date: '2019-02-30' } },
      { fileName: 'a'.repeat(256) },
      { exifDate: 'yesterday' },
      { isUndated: 'yes' },
    ])
      expect([bad, (await completeUpload(owner, { uploadURL, ...bad })).status]).toEqual([bad, 422]);
  });
});
