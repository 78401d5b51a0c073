import { beforeEach, describe, expect, it } from 'vitest';
import type { Memory } from '#shared/album/memory';
import { memoriesOf, trashOf } from '../../testing/clients/album.ts';
import { addPet } from '../../testing/data/factories.ts';
import {
  postSmsForm,
  postSms,
  toSmsForm,
  repliesTo,
  signUpSmsOwner,
  startSmsServer,
  verifyNumber,
  type SmsOwner,
} from '../../testing/data/inbound-sms.ts';
import { startTwilioServer } from '../../testing/fakes/twilio-server.ts';
import { sendSmsJob } from './send-sms-job.ts';

let owner: SmsOwner;

const twilio = await startTwilioServer();
const server = await startSmsServer(twilio);
beforeEach(async () => {
  owner = await signUpSmsOwner(server, twilio);
});

describe('an SMS without a photo', () => {
  it('is answered with a hint', async () => {
    await addPet(owner, { name: 'Rex' });
    await owner.sendSmsAndWait({ body: 'Thanks!' });
    expect(repliesTo(twilio, owner.phone)).toEqual([
      'There is no photo in this text. Send one with "PetName: Caption", or reply UNDO to take your last photos back.',
    ]);
  });

  it.each(['STOP', ' stop. ', 'Help', 'unsubscribe', 'START', 'INFO'])(
    'is not answered if Twilio does it: %j',
    async (body) => {
      await owner.sendSmsAndWait({ body });
      expect(twilio.received).toEqual([]);
    },
  );

  it('is not answered if Twilio recognized an opt-out keyword', async () => {
    const form = { ...toSmsForm({ from: owner.phone, body: 'arrêt' }), OptOutType: 'STOP' };
    expect((await postSmsForm(server, form)).status).toBe(200);
    await server.drainJobs();
    expect(twilio.received).toEqual([]);
  });

  it('is answered up to the hourly limit, beyond which photos are still added', async () => {
    const terse = await startSmsServer(twilio, { env: { TEXT_REPLIES_PER_NUMBER: '2' } });
    const client = await terse.signUp();
    await verifyNumber(twilio, client, owner.phone);
    twilio.received.length = 0;
    for (const body of ['One', 'Two', 'Three']) await postSms(terse, { from: owner.phone, body });
    await postSms(terse, { from: owner.phone, media: owner.photos(1) });
    await terse.drainJobs();
    expect(repliesTo(twilio, owner.phone)).toHaveLength(2);
    expect(await memoriesOf(client)).toHaveLength(1);
  });
});

describe('UNDO', () => {
  it.each(['UNDO', 'undo', ' Undo!! ', '"Undo."'])(
    'moves the last SMS’s photos to the trash, and no earlier ones: %j',
    async (body) => {
      await owner.sendSmsAndWait({ body: 'first', media: owner.photos(1) });
      await owner.sendSmsAndWait({ body: 'last', media: owner.photos(2) });
      await owner.sendSmsAndWait({ body: 'no photo' });
      await owner.sendSmsAndWait({ body });
      expect(repliesTo(twilio, owner.phone).at(-1)).toBe(
        'Took back 2 photos. They stay in your trash for 30 days.',
      );
      expect((await memoriesOf(owner)).map(({ caption }) => caption)).toEqual(['first']);
      expect((await trashOf(owner)).map(({ caption }) => caption)).toEqual(['last', 'last']);
    },
  );

  it('reports a repeated UNDO, also a concurrent one, and having nothing to undo', async () => {
    await owner.sendSmsAndWait({ body: 'Undo' });
    expect(repliesTo(twilio, owner.phone)).toEqual(['There are no photos from your texts to take back.']);
    await owner.sendSmsAndWait({ body: 'first', media: owner.photos(1) });
    await owner.sendSmsAndWait({ body: 'last', media: owner.photos(1) });
    await Promise.all([owner.sendSms({ body: 'Undo' }), owner.sendSms({ body: 'Undo' })]);
    await Promise.all([server.drainJobs(), server.drainJobs()]);
    expect(repliesTo(twilio, owner.phone).slice(-2).sort()).toEqual([
      'Took back 1 photo. It stays in your trash for 30 days.',
      'Your last photos have already been taken back. They are in your trash.',
    ]);
    expect((await memoriesOf(owner)).map(({ caption }) => caption)).toEqual(['first']);
  });

  it('can be repeated after the photos were restored', async () => {
    await owner.sendSmsAndWait({ body: 'first', media: owner.photos(1) });
    await owner.sendSmsAndWait({ body: 'last', media: owner.photos(1) });
    await owner.sendSmsAndWait({ body: 'UNDO' });
    const [memory] = await trashOf(owner);
    await owner.post(`/api/memories/${memory?.id}/restore`);
    await owner.sendSmsAndWait({ body: 'UNDO' });
    expect(repliesTo(twilio, owner.phone).at(-1)).toBe(
      'Took back 1 photo. It stays in your trash for 30 days.',
    );
    expect((await memoriesOf(owner)).map(({ caption }) => caption)).toEqual(['first']);
  });

  it('reports that the owner has deleted the photos', async () => {
    await owner.sendSmsAndWait({ media: owner.photos(1) });
    const [memory] = await memoriesOf(owner);
    await owner.request('DELETE', `/api/memories/${memory?.id}`);
    await owner.sendSmsAndWait({ body: 'UNDO' });
    expect(repliesTo(twilio, owner.phone).at(-1)).toBe('Your last photos are already in your trash.');
  });

  it('waits for pending photos', async () => {
    await owner.sendSms({ media: owner.photos(1) });
    await owner.sendSms({ body: 'UNDO' });
    // Reverse the order of the jobs.
    await server.context.db.execute(`
      with waiting as (select id, created_on from pgboss.job where name = 'ingest-sms' and state = 'created')
      update pgboss.job set created_on = (select max(created_on) from waiting) + interval '1 ms'
      where id = (select id from waiting order by created_on limit 1)`);
    await server.drainJobs();
    expect(repliesTo(twilio, owner.phone)).toEqual([
      'Added 1 photo. Reply UNDO to take it back.',
      'Took back 1 photo. It stays in your trash for 30 days.',
    ]);
    expect(await memoriesOf(owner)).toEqual([]);
  });

  it('is a caption if sent with a photo', async () => {
    await owner.sendSmsAndWait({ body: 'UNDO', media: owner.photos(1) });
    expect(await memoriesOf(owner)).toMatchObject([{ caption: 'UNDO' }]);
  });
});

describe('a pet’s name alone', () => {
  it('moves the last SMS’s photos to the pet, and no earlier ones', async () => {
    const rex = await addPet(owner, { name: 'Rex' });
    const milo = await addPet(owner, { name: 'Milo' });
    await owner.sendSmsAndWait({ body: 'Rex: first', media: owner.photos(1) });
    await owner.sendSmsAndWait({ body: 'last', media: owner.photos(2) });
    await owner.sendSmsAndWait({ body: 'milo!' });
    expect((await memoriesOf(owner)).map(({ petId }) => petId)).toEqual([milo.id, milo.id, rex.id]);
    const found = (await owner.get('/api/memories/search?q=milo')).body as Memory[];
    expect(found).toHaveLength(2);
    await owner.sendSmsAndWait({ body: 'Milo' });
    expect(repliesTo(twilio, owner.phone).slice(-2)).toEqual([
      'Moved 2 photos to Milo.',
      'Your last 2 photos are for Milo already.',
    ]);
  });

  it('reports having nothing to move, with the reason', async () => {
    const rex = await addPet(owner, { name: 'Rex' });
    await owner.sendSmsAndWait({ body: 'Rex' });
    await owner.sendSmsAndWait({ media: owner.photos(1) });
    await owner.sendSmsAndWait({ body: 'UNDO' });
    await owner.sendSmsAndWait({ body: 'Rex' });
    await owner.sendSms({ body: 'Rex' });
    await owner.request('DELETE', `/api/pets/${rex.id}`);
    await server.drainJobs();
    const replies = repliesTo(twilio, owner.phone);
    expect([replies[0], ...replies.slice(-2)]).toEqual([
      'There are no photos from your texts to move. Send one with "Rex: Caption".',
      'Your last photos were taken back. Send them again to add them.',
      'This pet is no longer in your album. Nothing was changed.',
    ]);
  });
});

describe('the reply', () => {
  it('needs a single database connection', async () => {
    const small = await startSmsServer(twilio, { env: { DATABASE_POOL_SIZE: '2' } });
    await verifyNumber(twilio, await small.signUp(), owner.phone);
    twilio.received.length = 0;
    await postSms(small, { from: owner.phone, media: owner.photos(1) });
    await small.context.db.transaction(async (tx) => {
      await tx.execute('select 1');
      await small.drainJobs();
    });
    expect(repliesTo(twilio, owner.phone)).toEqual(['Added 1 photo. Reply UNDO to take it back.']);
  });

  it('is retried until Twilio accepts it, and sent once', async () => {
    await owner.sendSms({ media: owner.photos(1) });
    twilio.failNext({ status: 503 });
    await expect(server.drainJobs()).rejects.toThrow();
    await server.drainJobs();
    expect(repliesTo(twilio, owner.phone)).toHaveLength(1);
    expect(await memoriesOf(owner)).toHaveLength(1);
  });

  it('is postponed as long as Twilio asks, and sent once', async () => {
    const { db } = server.context;
    await owner.sendSms({ media: owner.photos(1) });
    twilio.failNext({ status: 429, retryAfter: '40' }, { status: 503, retryAfter: '90' });
    await server.drainJobs();
    expect(repliesTo(twilio, owner.phone)).toHaveLength(1);
    const { rows } = await db.execute<{ state: string; pause: number }>(
      `select state::text, extract(epoch from start_after - created_on)::int as pause from pgboss.job
        where name = '${sendSmsJob.name}' and data ->> 'to' = '${owner.phone}' order by created_on`,
    );
    expect(rows).toEqual([0, 40, 90].map((pause) => ({ state: 'completed', pause })));
  });

  it('fails after too many postponements', async () => {
    await owner.sendSms({ media: owner.photos(1) });
    const busy = { status: 429, retryAfter: '1' };
    twilio.failNext(...Array<typeof busy>(11).fill(busy));
    await expect(server.drainJobs()).rejects.toThrow(/429/);
    await server.drainJobs();
    expect(repliesTo(twilio, owner.phone)).toHaveLength(1);
  });

  it('is not retried if Twilio rejects the number', async () => {
    await owner.sendSms({ media: owner.photos(1) });
    twilio.failNext({ status: 400, code: 21_610 });
    await server.drainJobs();
    expect(repliesTo(twilio, owner.phone)).toEqual([]);
  });
});

describe('a reaction', () => {
  const reply = () => repliesTo(twilio, owner.phone)[0] ?? '';
  const likesOf = async () => (await memoriesOf(owner)).map(({ caption, isLiked }) => [caption, isLiked]);

  it('to the answer to the last photo likes that, without a reply, until it is removed', async () => {
    await addPet(owner, { name: 'Rex' });
    await owner.sendSmsAndWait({ body: 'first', media: owner.photos(1) });
    await owner.sendSmsAndWait({ body: 'last', media: owner.photos(1) });
    await owner.sendSmsAndWait({ body: `Loved “${reply()}”` });
    expect(await likesOf()).toEqual([
      ['last', true],
      ['first', false],
    ]);
    await owner.sendSmsAndWait({ body: `Laughed at “${reply()}”` });
    await owner.sendSmsAndWait({ body: `Removed a heart from “${reply()}”` });
    expect((await likesOf()).flat()).not.toContain(true);
    await owner.sendSmsAndWait({ body: `\u200a\u200b👍\u200b to “\u200a${reply()}\u200a”` });
    expect((await likesOf())[0]).toEqual(['last', true]);
    expect(repliesTo(twilio, owner.phone)).toHaveLength(2);
  });

  it('to an image likes the last photo, once that is added', async () => {
    await owner.sendSms({ body: 'last', media: owner.photos(1) });
    await owner.sendSms({ body: 'Loved an image' });
    await server.drainJobs();
    expect(await likesOf()).toEqual([['last', true]]);
    expect(repliesTo(twilio, owner.phone)).toHaveLength(1);
  });

  it('to an earlier answer about another pet, or to another text, likes nothing', async () => {
    await addPet(owner, { name: 'Rex' });
    await addPet(owner, { name: 'Milo' });
    await owner.sendSmsAndWait({ body: 'Milo: first', media: owner.photos(1) });
    await owner.sendSmsAndWait({ body: 'Rex: last', media: owner.photos(1) });
    await owner.sendSmsAndWait({ body: `Liked “${reply()}”` });
    await owner.sendSmsAndWait({ body: 'Liked “123456 is your code”' });
    expect(await likesOf()).toEqual([
      ['last', false],
      ['first', false],
    ]);
    expect(repliesTo(twilio, owner.phone)).toHaveLength(2);
  });

  it('has no effect without photos, after UNDO, and from a stranger', async () => {
    await owner.sendSmsAndWait({ body: 'Loved an image' });
    await owner.sendSmsAndWait({ body: 'last', media: owner.photos(1) });
    await owner.sendSmsAndWait({ body: 'UNDO' });
    const replies = repliesTo(twilio, owner.phone).length;
    await owner.sendSmsAndWait({ body: 'Loved an image' });
    expect(repliesTo(twilio, owner.phone)).toHaveLength(replies);
    expect((await trashOf(owner)).map(({ isLiked }) => isLiked)).toEqual([false]);
    const stranger = '+12065559999';
    await postSms(server, { from: stranger, body: 'Loved an image' });
    await server.drainJobs();
    expect(repliesTo(twilio, stranger)).toEqual([]);
  });

  it.each(['Liked by everyone at the park', 'Loved this walk', 'Loved an image'])(
    'is a caption if it comes with a photo: %s',
    async (caption) => {
      await owner.sendSmsAndWait({ body: caption, media: owner.photos(1) });
      expect(await likesOf()).toEqual([[caption, false]]);
    },
  );
});
