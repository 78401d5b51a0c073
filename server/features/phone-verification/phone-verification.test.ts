import { createHash } from 'node:crypto';
import pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import type { User } from '#shared/accounts/user';
import { purgeExpiredRowsJob } from '../../app/purge-expired-rows-job.ts';
import { outboxVisitor, readOutbox } from '../../testing/clients/dev-outbox.ts';
import type { TestClient, TestResponse } from '../../testing/clients/test-client.ts';
import { startTwilioServer, TWILIO_ACCOUNT } from '../../testing/fakes/twilio-server.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { holdLocks, waitForBlockedConnection } from '../../testing/timing/lock-waits.ts';

const PRODUCT_NUMBER = '+12025550100';
const MINUTE_S = 60;

let owner: TestClient;
let now = new Date('2026-06-01T12:00:00Z');
const passSeconds = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000);
};

const startServer = (env: NodeJS.ProcessEnv) =>
  startTestServer({
    overrides: { clock: { now: () => now } },
    env: {
      TWILIO_ACCOUNT_SID: TWILIO_ACCOUNT.sid,
      TWILIO_AUTH_TOKEN: TWILIO_ACCOUNT.authToken,
      TWILIO_PHONE_NUMBER: PRODUCT_NUMBER,
      TWILIO_API_URL: twilio.url,
      PHONE_CODES_PER_ADDRESS: '1000',
      ...env,
    },
  });

const twilio = await startTwilioServer();
const server = await startServer({ PHONE_CODES_PER_ACCOUNT: '1000' });
beforeEach(async () => {
  twilio.received.length = 0;
  owner = await server.signUp();
});

let numbers = 0;
const unusedNumber = () => `+1206555${String(1000 + ++numbers)}`;

const send = (client: TestClient, phoneNumber: unknown, headers = {}) =>
  client.post('/api/sms/send-verification', { phoneNumber }, headers);
const verify = (client: TestClient, phoneNumber: string, code: string) =>
  client.post('/api/sms/verify', { phoneNumber, code });
const remove = (client: TestClient) => client.request('DELETE', '/api/sms/number');

/** The code in the last SMS to this number. */
function codeFor(phoneNumber: string): string {
  const text = twilio.received.findLast(({ To }) => To === phoneNumber)?.['Body'] ?? '';
  return /^\d{6}\b/.exec(text)?.[0] ?? '';
}
const wrong = (code: string) => (code === '000000' ? '000001' : '000000');

async function sendTo(client: TestClient, phoneNumber: string): Promise<string> {
  expect((await send(client, phoneNumber)).status).toBe(200);
  return codeFor(phoneNumber);
}
async function haveVerified(client: TestClient, phoneNumber = unusedNumber()): Promise<string> {
  expect((await verify(client, phoneNumber, await sendTo(client, phoneNumber))).status).toBe(200);
  return phoneNumber;
}
async function phoneOf(client: TestClient): Promise<[string | null, boolean]> {
  const { phoneNumber, phoneVerified } = (await client.get('/api/user')).body as User;
  return [phoneNumber, phoneVerified];
}
const WRONG_CODE = 'Please check your code and try again';
const EXPIRED = {
  message: WRONG_CODE,
  code: 'invalid',
  fields: { code: 'This code no longer works. Please request a new one.' },
};

describe('POST /api/sms/send-verification', () => {
  it('sends six digits to the normalized number', async () => {
    const response = await send(owner, ' (206) 555-0123 ');
    expect([response.status, response.body]).toEqual([
      200,
      { message: 'We texted a 6-digit code to +1 206 555 0123.' },
    ]);
    expect(twilio.received).toMatchObject([{ To: '+12065550123', From: PRODUCT_NUMBER }]);
    expect(twilio.received[0]?.['Body']).toMatch(/^\d{6} is your Mems Are Forever code\./);
    expect(await phoneOf(owner)).toEqual([null, false]);
  });

  it('rejects invalid and unsupported numbers', async () => {
    const NOT_A_NUMBER = 'This is not a phone number. Please check its digits.';
    const NOT_TEXTABLE = 'This number cannot receive texts. Please use a mobile number.';
    const ELSEWHERE = 'Only numbers of these countries can be verified: United States and Canada.';
    const MISSING = 'Please enter your phone number';
    const cases: [unknown, string][] = [
      ['', MISSING],
      ['Rex', MISSING],
      [undefined, MISSING],
      [2065550123, MISSING],
      [{ number: '2065550123' }, MISSING],
      ['2065550123\0', 'Please remove invalid characters.'],
      ['2'.repeat(100_000), 'This is too long for a phone number'],
      ['555-0123', NOT_A_NUMBER],
      ['206 555 0123 ext. 5', NOT_A_NUMBER],
      ['44 7400 123456', NOT_A_NUMBER],
      ['+44 7400 123456', ELSEWHERE],
      // Jamaica, which shares the country code +1.
      ['876 555 1234', ELSEWHERE],
      ['900 555 1234', NOT_TEXTABLE],
      ['800 555 0123', NOT_TEXTABLE],
    ];
    for (const [typed, message] of cases) {
      const { status, body } = await send(owner, typed);
      expect([typed, status, body]).toEqual([
        typed,
        422,
        { message, code: 'invalid', fields: { phoneNumber: message } },
      ]);
    }
    expect(twilio.received).toEqual([]);
  });

  it('supports mobile numbers of configured countries', async () => {
    const british = await startServer({ PHONE_COUNTRIES: 'gb' });
    const person = await british.signUp();
    expect((await send(person, '+44 (0)7400 123456')).status).toBe(200);
    expect(twilio.received).toMatchObject([{ To: '+447400123456' }]);
    const code = codeFor('+447400123456');
    expect((await verify(person, '+44 (0)7400 123456', code)).body).toMatchObject({
      phoneNumber: '+447400123456',
    });
    expect((await send(person, '+44 20 7946 0958')).status).toBe(422);
    expect((await send(person, '2065550123')).status).toBe(422);
  });

  it('sends one SMS for repeated and concurrent requests; another after 30 seconds', async () => {
    const phoneNumber = unusedNumber();
    const responses = await Promise.all([1, 2, 3].map(() => send(owner, phoneNumber)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(twilio.received).toHaveLength(1);
    const first = codeFor(phoneNumber);
    passSeconds(29);
    await send(owner, phoneNumber);
    expect(twilio.received).toHaveLength(1);
    passSeconds(1);
    const second = await sendTo(owner, phoneNumber);
    expect(twilio.received).toHaveLength(2);
    if (first !== second) expect((await verify(owner, phoneNumber, first)).status).toBe(422);
    expect((await verify(owner, phoneNumber, second)).status).toBe(200);
  });

  it('sends to another number immediately, and invalidates the previous code', async () => {
    const [mistyped, right] = [unusedNumber(), unusedNumber()];
    const lost = await sendTo(owner, mistyped);
    const code = await sendTo(owner, right);
    expect((await verify(owner, mistyped, lost)).body).toEqual(EXPIRED);
    expect((await verify(owner, right, code)).status).toBe(200);
  });

  it('stores codes only as a keyed hash', async () => {
    const phoneNumber = unusedNumber();
    const code = await sendTo(owner, phoneNumber);
    const database = new pg.Client({ connectionString: server.databaseUrl });
    await database.connect();
    const { rows } = await database.query('select * from phone_codes where phone_number = $1', [phoneNumber]);
    await database.end();
    const kept = JSON.stringify(rows);
    expect(rows).toHaveLength(1);
    expect(kept).not.toContain(`"${code}"`);
    for (const encoding of ['hex', 'base64url'] as const)
      expect(kept).not.toContain(createHash('sha256').update(code).digest(encoding));
  });

  it('names a number that the provider rejects', async () => {
    const rejections = { 21_211: /We cannot text this number/, 21_610: /text START/ };
    for (const [code, message] of Object.entries(rejections)) {
      twilio.failNext({ status: 400, code: Number(code) });
      const { status, body } = await send(owner, unusedNumber());
      expect(status).toBe(422);
      expect((body as { fields: { phoneNumber: string } }).fields.phoneNumber).toMatch(message);
    }
  });

  it('is 503 while the provider is unavailable, and can be retried immediately', async () => {
    const phoneNumber = unusedNumber();
    for (const [fault, retryAfter] of [
      [{ status: 429, retryAfter: '40' }, '40'],
      [{ status: 503, retryAfter: '7' }, '7'],
      [{ status: 429 }, '5'],
      [{ status: 500 }, '5'],
      ['cut', '5'],
    ] as const) {
      twilio.failNext(fault);
      const { status, body, headers } = await send(owner, phoneNumber);
      expect([fault, status, body, headers.get('Retry-After')]).toEqual([
        fault,
        503,
        { message: 'We cannot send texts right now. Please try again in a moment.' },
        retryAfter,
      ]);
    }
    const code = await sendTo(owner, phoneNumber);
    expect((await verify(owner, phoneNumber, code)).status).toBe(200);
  });

  it('blames our configuration, not the number, when a region is not enabled', async () => {
    for (const fault of [
      { status: 400, code: 21_408 },
      { status: 401, code: 20_003 },
    ]) {
      twilio.failNext(fault);
      const { status, body } = await send(owner, unusedNumber());
      expect([status, body]).toEqual([
        503,
        {
          message:
            'We cannot text this number because of a setting on our side. Please tell the person who runs this site.',
        },
      ]);
    }
  });

  it('is rate limited per user, number, IP address and installation', async () => {
    const limited = await startServer({
      TRUST_PROXY: 'loopback',
      PHONE_CODES_PER_ACCOUNT: '2',
      PHONE_CODES_PER_NUMBER: '2',
      PHONE_CODES_PER_ADDRESS: '4',
      PHONE_CODES_PER_DAY: '6',
    });
    const from = (address: string) => ({ 'X-Forwarded-For': address });
    let neighbors = 0;
    // Limits apply to a whole /64 of IPv6 addresses.
    const aNeighbor = () => `2001:db8:1:2::${++neighbors}`;
    const [a, b, c, d, e] = [
      await limited.signUp(),
      await limited.signUp(),
      await limited.signUp(),
      await limited.signUp(),
      await limited.signUp(),
    ];
    // Requests through a proxy may cause costs only for a verified address.
    await limited.context.db.execute('update users set email_verified_at = now()');
    const [shared, ...others] = [
      unusedNumber(),
      unusedNumber(),
      unusedNumber(),
      unusedNumber(),
      unusedNumber(),
      unusedNumber(),
      unusedNumber(),
    ];
    // Failures and repeated requests do not count.
    twilio.failNext({ status: 503 }, 'cut', { status: 429 });
    for (let n = 0; n < 3; n++) expect((await send(a, shared, from(aNeighbor()))).status).toBe(503);
    expect((await send(a, shared, from(aNeighbor()))).status).toBe(200);
    expect((await send(a, shared, from(aNeighbor()))).status).toBe(200);

    expect((await send(a, others[0], from(aNeighbor()))).status).toBe(200);
    const account = await send(a, others[1], from('192.0.2.2'));
    expect([account.status, account.headers.get('Retry-After')]).toEqual([
      429,
      expect.stringMatching(/^\d+$/),
    ]);
    expect((account.body as { message: string }).message).toMatch(/^Too many attempts\. Please try again in/);

    expect((await send(b, shared, from('192.0.2.2'))).status).toBe(200);
    expect((await send(c, shared, from('192.0.2.3'))).status).toBe(429);

    expect((await send(c, others[2], from(aNeighbor()))).status).toBe(200);
    expect((await send(d, others[3], from(aNeighbor()))).status).toBe(200);
    expect((await send(e, others[4], from(aNeighbor()))).status).toBe(429);

    expect((await send(e, others[4], from('192.0.2.4'))).status).toBe(200);
    const installation = await send(b, others[5], from('192.0.2.5'));
    expect(installation.status).toBe(429);
    expect((installation.body as { message: string }).message).toMatch(
      /^No more texts can be sent today\. Please try again in 24 hours\.$/,
    );
    expect(twilio.received).toHaveLength(6);
  });
});

describe('POST /api/sms/verify', () => {
  it('verifies the number; a code works once, also concurrently', async () => {
    const phoneNumber = unusedNumber();
    const code = await sendTo(owner, phoneNumber);
    const responses = await whileCodesAreHeld(() => [
      verify(owner, phoneNumber, code),
      verify(owner, phoneNumber, code),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422]);
    const right = responses.find(({ status }) => status === 200);
    expect(right?.body).toMatchObject({ phoneNumber, phoneVerified: true });
    expect((await owner.get('/api/user')).body).toEqual(right?.body);
    expect((await verify(owner, phoneNumber, code)).body).toEqual(EXPIRED);
    expect(await phoneOf(owner)).toEqual([phoneNumber, true]);
  });

  it('accepts spaces and punctuation', async () => {
    const code = await sendTo(owner, '+12065550199');
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
    expect((await verify(owner, '(206) 555-0199', spaced)).status).toBe(200);
  });

  it('rejects wrong codes, and after five also the right one, sequentially and concurrently', async () => {
    for (const isAtOnce of [false, true]) {
      const person = await server.signUp();
      const phoneNumber = unusedNumber();
      const code = await sendTo(person, phoneNumber);
      const guess = () => verify(person, phoneNumber, wrong(code));
      if (isAtOnce) await Promise.all([1, 2, 3, 4, 5].map(guess));
      else {
        for (let n = 0; n < 5; n++) {
          const { status, body } = await guess();
          expect([status, body]).toEqual([
            422,
            { message: WRONG_CODE, code: 'invalid', fields: { code: WRONG_CODE } },
          ]);
        }
      }
      expect((await verify(person, phoneNumber, code)).body).toEqual(EXPIRED);
      expect(await phoneOf(person)).toEqual([null, false]);
    }
  });

  it('accepts the right code after four wrong ones; a new code resets the count', async () => {
    const phoneNumber = unusedNumber();
    for (const round of ['first', 'second']) {
      const code = await sendTo(owner, phoneNumber);
      for (let n = 0; n < 4; n++) await verify(owner, phoneNumber, wrong(code));
      if (round === 'second') expect((await verify(owner, phoneNumber, code)).status).toBe(200);
      passSeconds(30);
    }
  });

  it('rejects a code after ten minutes', async () => {
    const phoneNumber = unusedNumber();
    const code = await sendTo(owner, phoneNumber);
    passSeconds(10 * MINUTE_S);
    expect((await verify(owner, phoneNumber, code)).body).toEqual(EXPIRED);
    const again = await sendTo(owner, phoneNumber);
    passSeconds(10 * MINUTE_S - 1);
    expect((await verify(owner, phoneNumber, again)).status).toBe(200);
  });

  it('rejects another user’s code and a code for another number', async () => {
    const [phoneNumber, another] = [unusedNumber(), unusedNumber()];
    const stranger = await server.signUp();
    const code = await sendTo(owner, phoneNumber);
    expect((await verify(stranger, phoneNumber, code)).body).toEqual(EXPIRED);
    await sendTo(stranger, another);
    expect((await verify(stranger, phoneNumber, code)).body).toEqual(EXPIRED);
    expect((await verify(owner, another, code)).body).toEqual(EXPIRED);
    expect((await verify(owner, phoneNumber, code)).status).toBe(200);
  });

  it('names missing fields', async () => {
    const { status, body } = await owner.post('/api/sms/verify', { code: '12345' });
    expect([status, (body as { fields: object }).fields]).toEqual([
      422,
      { phoneNumber: 'Please enter your phone number', code: 'Please enter the 6-digit code' },
    ]);
  });

  it('moves a number from the user who had it', async () => {
    const phoneNumber = await haveVerified(owner);
    const next = await server.signUp();
    await haveVerified(next, phoneNumber);
    expect(await phoneOf(next)).toEqual([phoneNumber, true]);
    expect(await phoneOf(owner)).toEqual([null, false]);
  });

  it('emails its owner, and the one who had the number', async () => {
    const [previous, next] = [await server.signUp('previous-owner'), await server.signUp('next-owner')];
    const phoneNumber = await haveVerified(previous);
    await haveVerified(next, phoneNumber);
    await server.drainJobs();
    const emails = (await readOutbox(server.dataDir)).map(({ to, subject }) => `${to}: ${subject}`);
    expect(emails.filter((email) => /^(previous|next)-owner@/.test(email)).sort()).toEqual([
      'next-owner@mems.example: Your phone number was changed',
      'previous-owner@mems.example: Your phone number was changed',
      'previous-owner@mems.example: Your phone number was removed',
    ]);
  });

  it('assigns a number to one of several users who verify it concurrently', async () => {
    const people = [owner, await server.signUp(), await server.signUp(), await server.signUp()];
    const phoneNumber = unusedNumber();
    const codes: string[] = [];
    for (const person of people) codes.push(await sendTo(person, phoneNumber));
    const responses = await Promise.all(
      people.map((person, index) => verify(person, phoneNumber, codes[index] ?? '')),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const phones = await Promise.all(people.map(phoneOf));
    expect(phones.filter(([number]) => number === phoneNumber)).toEqual([[phoneNumber, true]]);
  });

  it('lets two users swap numbers concurrently, without a deadlock', async () => {
    const other = await server.signUp();
    for (let round = 0; round < 3; round++) {
      const [mine, theirs] = [await haveVerified(owner), await haveVerified(other)];
      const [first, second] = [await sendTo(owner, theirs), await sendTo(other, mine)];
      const responses = await Promise.all([verify(owner, theirs, first), verify(other, mine, second)]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200]);
      expect([await phoneOf(owner), await phoneOf(other)]).toEqual([
        [theirs, true],
        [mine, true],
      ]);
    }
  });

  it('keeps the current number until another is verified', async () => {
    const before = await haveVerified(owner);
    const after = unusedNumber();
    const code = await sendTo(owner, after);
    await verify(owner, after, wrong(code));
    expect(await phoneOf(owner)).toEqual([before, true]);
    await verify(owner, after, code);
    expect(await phoneOf(owner)).toEqual([after, true]);
  });
});

/** Sends the requests and holds them at the lock on the codes until all of them wait for it. */
async function whileCodesAreHeld(sendAll: () => Promise<TestResponse>[]): Promise<TestResponse[]> {
  const holder = await holdLocks(server.databaseUrl, 'select 1 from phone_codes for update');
  const requests = sendAll();
  await waitForBlockedConnection(server.databaseUrl, requests.length);
  await holder.commit();
  return Promise.all(requests);
}

describe('DELETE /api/sms/number', () => {
  it('removes the user’s number and pending code only', async () => {
    const other = await server.signUp();
    const theirs = await haveVerified(other);
    const phoneNumber = await haveVerified(owner);
    passSeconds(30);
    const code = await sendTo(owner, phoneNumber);
    expect([(await remove(owner)).status, (await remove(owner)).status]).toEqual([204, 204]);
    expect(await phoneOf(owner)).toEqual([null, false]);
    expect((await verify(owner, phoneNumber, code)).body).toEqual(EXPIRED);
    expect(await phoneOf(other)).toEqual([theirs, true]);
  });
});

describe('stored codes', () => {
  it('are deleted after they expire, with their unverified numbers', async () => {
    const database = new pg.Client({ connectionString: server.databaseUrl });
    await database.connect();
    const count = async () => (await database.query('select 1 from phone_codes')).rowCount;
    await sendTo(await server.signUp(), unusedNumber());
    passSeconds(10 * MINUTE_S + 1);
    await owner.post('/api/session/proof', { password: 'correct horse' });
    await sendTo(owner, unusedNumber());
    const { context } = server;
    await context.db.transaction((tx) => context.jobs.enqueue(tx, purgeExpiredRowsJob, {}));
    await server.drainJobs();
    expect(await count()).toBe(1);
    await database.end();
  });
});

describe('without a Twilio account', () => {
  it('writes codes to the dev-outbox, and says so', async () => {
    const embedded = await startTestServer();
    const person = await embedded.signUp();
    const { body } = await send(person, '2065550123');
    expect(body).toEqual({
      message: 'Your 6-digit code for +1 206 555 0123 is at /dev/outbox, because no text provider is set up.',
    });
    const page = await outboxVisitor(embedded).get('/dev/outbox');
    const code = /(\d{6}) is your Mems Are Forever code/.exec(page.text)?.[1] ?? '';
    expect(page.text).toContain('to +12065550123');
    expect((await verify(person, '2065550123', code)).status).toBe(200);
  });
});
