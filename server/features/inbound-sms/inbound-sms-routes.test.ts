import { request } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { inboundMessages } from '../../platform/db/schema/transfers/inbound-sms.ts';
import { memoriesOf } from '../../testing/clients/album.ts';
import { startTestServer } from '../../testing/test-server.ts';
import {
  newMessageSid,
  newNumber,
  postSmsForm,
  postSms,
  toSmsForm,
  incomingUrl,
  PRODUCT_NUMBER,
  repliesTo,
  signAsTwilio,
  signUpSmsOwner,
  startSmsServer,
  type SmsOwner,
} from '../../testing/data/inbound-sms.ts';
import { startTwilioServer } from '../../testing/fakes/twilio-server.ts';

let owner: SmsOwner;

const twilio = await startTwilioServer();
const server = await startSmsServer(twilio);
beforeEach(async () => {
  owner = await signUpSmsOwner(server, twilio);
});

describe('an SMS without a valid signature', () => {
  it('is 403 and changes nothing, whichever part was tampered with', async () => {
    const form = toSmsForm({ from: owner.phone, body: 'Rex: hello', media: owner.photos(1) });
    const signature = signAsTwilio(incomingUrl(server), form);
    const before = await server.context.db.$count(inboundMessages);
    const responses = [
      await postSmsForm(server, { ...form, Body: 'Rex: hallo' }, { signature }),
      await postSmsForm(server, { ...form, From: newNumber() }, { signature }),
      await postSmsForm(server, { ...form, MediaUrl1: owner.photos(1)[0] ?? '' }, { signature }),
      await postSmsForm(server, form, { signature, query: '?more' }),
      await postSmsForm(server, form, {
        signature: signAsTwilio('https://elsewhere.example/api/sms/incoming', form),
      }),
      await postSmsForm(server, form, { signature: signature.toLowerCase() }),
      await postSmsForm(server, form, { signature: '' }),
      await server.visitor().post('/api/sms/incoming', form, { 'X-Twilio-Signature': signature }),
      await owner.request('POST', '/api/sms/incoming'),
    ];
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 403));
    expect(responses[3]?.body).toEqual({
      message: 'This message is not signed for https://mems.example/api/sms/incoming?more.',
      code: 'forbidden',
    });
    await server.drainJobs();
    expect(await server.context.db.$count(inboundMessages)).toBe(before);
    expect(twilio.received).toEqual([]);
  });

  it('is 403 when the request line has a whole URL', async () => {
    // Its address has a port, after which a whole URL is no part of a URL.
    const { origin } = await startTestServer();
    const { port } = new URL(origin);
    const status = await new Promise((resolve, reject) => {
      const path = 'http://mems.example/api/sms/incoming';
      request({ port, path, method: 'POST', headers: { 'X-Twilio-Signature': 'x' } }, (response) =>
        resolve(response.resume().statusCode),
      )
        .on('error', reject)
        .end();
    });
    expect(status).toBe(403);
  });

  it('is accepted when the signed URL has a query', async () => {
    const form = toSmsForm({ from: owner.phone, media: owner.photos(1) });
    const query = '?from=Twilio%20%2B&b=%c3%a4&a';
    const signature = signAsTwilio(incomingUrl(server) + query, form);
    expect((await postSmsForm(server, form, { signature, query })).status).toBe(200);
    await server.drainJobs();
    expect(await memoriesOf(owner)).toHaveLength(1);
  });
});

describe('an SMS from an unknown number', () => {
  it('changes nothing and is answered once a day, also when several arrive concurrently', async () => {
    const stranger = newNumber();
    const before = await server.context.db.$count(inboundMessages);
    const bring = () => postSms(server, { from: stranger, body: 'UNDO', media: owner.photos(1) });
    const responses = await Promise.all([bring(), bring(), bring()]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    await server.drainJobs();
    expect(await server.context.db.$count(inboundMessages)).toBe(before);
    expect(repliesTo(twilio, stranger)).toEqual([
      'We do not know this number yet. Verify it at https://mems.example/phone-verification, then text your photos again.',
    ]);
  });

  it('is not answered beyond the daily limit for unknown numbers', async () => {
    const shy = await startSmsServer(twilio, { env: { TEXT_REPLIES_TO_STRANGERS_PER_DAY: '2' } });
    const strangers = [newNumber(), newNumber(), newNumber()];
    for (const from of strangers) expect((await postSms(shy, { from })).status).toBe(200);
    await shy.drainJobs();
    expect(strangers.map((each) => repliesTo(twilio, each).length)).toEqual([1, 1, 0]);
  });

  it('is not answered if the number is invalid or the product’s own', async () => {
    for (const from of ['12345', 'Rex', '', 'whatsapp:+12065550123', PRODUCT_NUMBER])
      expect((await postSms(server, { from, media: owner.photos(1) })).status).toBe(200);
    await server.drainJobs();
    expect(twilio.received).toEqual([]);
  });
});

describe('a form', () => {
  it('is limited in size, but accepts the longest SMS', async () => {
    expect((await owner.sendSms({ body: 'x'.repeat(100_000) })).status).toBe(413);
    expect((await owner.sendSms({ body: '🐕'.repeat(1600), media: owner.photos(10) })).status).toBe(200);
  });

  it('survives hostile fields', async () => {
    const form = toSmsForm({ from: owner.phone, body: 'x\0y', media: owner.photos(1) });
    const strange: Record<string, string>[] = [
      { ...form, MessageSid: '' },
      { ...form, MessageSid: "'; drop table users; --" },
      { From: owner.phone },
      { ...form, From: 'x'.repeat(1000) },
    ];
    for (const each of strange) expect([each, (await postSmsForm(server, each)).status]).toEqual([each, 400]);
    const harmless: Record<string, string>[] = [
      { ...form, NumMedia: '1e9', MessageSid: newMessageSid() },
      { ...form, NumMedia: '-1', MessageSid: newMessageSid() },
      { ...form, NumMedia: 'many', constructor: 'x', MessageSid: newMessageSid() },
      { ...form, MediaUrl0: 'javascript:alert(1)', MessageSid: newMessageSid() },
      { ...form, MediaUrl0: '\0', MessageSid: newMessageSid() },
    ];
    for (const each of harmless)
      expect([each, (await postSmsForm(server, each)).status]).toEqual([each, 200]);
    expect((await postSmsForm(server, { ...form, ['__proto__']: 'x' })).status).toBe(403);
    await server.drainJobs();
    expect((await memoriesOf(owner)).map(({ caption }) => caption)).toEqual(['xy']);
  });
});
