import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addContact } from '../../testing/data/factories.ts';
import { startScriptedSmtpServer } from '../../testing/fakes/scripted-smtp-server.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { TIMEOUT } from '../../testing/timing/timeout.ts';
import { LEASE_MS } from './lease-due-email.ts';
import { sendEmailsJob } from './send-emails-job.ts';

let now = new Date('2026-06-01T12:00:00Z');
const passSeconds = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000);
};
/** Sends the replies that are held back. */
let release: () => void;
const running: Promise<void>[] = [];

const smtp = await startScriptedSmtpServer();
const server = await startTestServer({
  overrides: { clock: { now: () => now } },
  env: {
    SMTP_URL: smtp.url,
    PUBLIC_URL: 'https://mems.example',
    MAIL_FROM: 'album@mems.example',
    MAILS_PER_HOUR: '4',
  },
});
beforeEach(() => {
  smtp.messages.length = 0;
  const held = new Promise<void>((resolve) => (release = resolve));
  smtp.setScript(async (phase, recipient) => {
    if (phase === 'message' && recipient.endsWith('slow.example')) await held;
    return undefined;
  });
});
afterEach(async () => {
  release();
  await Promise.all(running.splice(0));
  vi.useRealTimers();
});

/** A user with contacts whose welcome emails are due. */
async function addContacts(...emails: string[]): Promise<string> {
  const owner = await server.signUp();
  await server.context.db.execute(`update users set email_verified_at = now() where id = '${owner.userId}'`);
  for (const email of emails) {
    // Emails that are due at the same time have no order.
    passSeconds(0.001);
    await addContact(owner, { name: email, email });
  }
  return owner.userId;
}

/** Simulates a process: it has one context, which its jobs share. */
const startProcess = () => {
  const context = { ...server.context };
  return (stopping?: AbortSignal) => {
    const job = sendEmailsJob.handle(context, {}, stopping);
    running.push(job);
    return job;
  };
};
const sentTo = () => smtp.messages.map(({ to }) => to).sort();
const haveArrived = (count: number) => vi.waitUntil(() => smtp.messages.length >= count, TIMEOUT);
const messageIds = () => smtp.messages.map(({ mime }) => /^Message-ID: (.*)$/im.exec(mime.toString())?.[1]);

async function statuses(ownerId: string): Promise<string[]> {
  const { rows } = await server.context.db.execute<{ status: string }>(
    `select status from emails where owner_id = '${ownerId}' order by created_at, id`,
  );
  return rows.map(({ status }) => status);
}

describe('a mail server that is slow to accept a message', () => {
  it('gets it once, without an open transaction', async () => {
    const ownerId = await addContacts('ingrid@slow.example');
    const first = startProcess()();
    await haveArrived(1);
    const { rows } = await server.context.db.execute(
      `select query from pg_stat_activity where datname = current_database() and xact_start is not null
        and pid <> pg_backend_pid()`,
    );
    expect(rows).toEqual([]);
    passSeconds(20);
    await startProcess()();
    release();
    await first;
    expect(sentTo()).toEqual(['ingrid@slow.example']);
    expect(await statuses(ownerId)).toEqual(['sent']);
  });

  it('does not delay emails to other domains', async () => {
    const slow = Array.from({ length: 4 }, (_, n) => `person-${n}@slow.example`);
    await addContacts(...slow);
    await addContacts('jo@fast.example');
    const startJob = startProcess();
    void startJob();
    await haveArrived(4);
    expect(sentTo()).toEqual(['jo@fast.example', ...slow.slice(0, 3)]);
    await addContacts('kim@fast.example');
    void startJob();
    await haveArrived(5);
    expect(sentTo()).toEqual(['jo@fast.example', 'kim@fast.example', ...slow.slice(0, 3)]);
    release();
    await Promise.all(running);
    expect(sentTo()).toEqual(['jo@fast.example', 'kim@fast.example', ...slow]);
  });

  it('gets no further email from a process that stops', async () => {
    const ownerId = await addContacts(...Array.from({ length: 4 }, (_, n) => `person-${n}@slow.example`));
    const stopping = new AbortController();
    const job = startProcess()(stopping.signal);
    await haveArrived(3);
    stopping.abort();
    release();
    await job;
    expect((await statuses(ownerId)).sort()).toEqual(['sent', 'sent', 'sent', 'waiting']);
    await startProcess()();
    expect(smtp.messages).toHaveLength(4);
  });

  it('gets the email from one process, whose lease is extended', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const ownerId = await addContacts('ingrid@slow.example');
    const first = startProcess()();
    await haveArrived(1);
    const leaseExpiresAt = async () => {
      const { rows } = await server.context.db.execute<{ at: string }>(
        `select max(lease_expires_at) as at from emails where owner_id = '${ownerId}'`,
      );
      return new Date(rows[0]!.at).getTime();
    };
    for (let n = 0; n < 6; n++) {
      passSeconds(10);
      // One extension at a time: a late one would set the lease back.
      vi.advanceTimersByTime(10_000);
      await vi.waitUntil(async () => (await leaseExpiresAt()) === now.getTime() + LEASE_MS, TIMEOUT);
      await startProcess()();
    }
    release();
    await first;
    expect(sentTo()).toEqual(['ingrid@slow.example']);
  });

  it('gets it again with the same Message-ID after its process has died', async () => {
    const ownerId = await addContacts('ingrid@slow.example');
    const dead = startProcess()();
    await haveArrived(1);
    passSeconds(31);
    const next = startProcess()();
    await haveArrived(2);
    release();
    await Promise.all([dead, next]);
    await startProcess()();
    expect(sentTo()).toEqual(['ingrid@slow.example', 'ingrid@slow.example']);
    expect(new Set(messageIds()).size).toBe(1);
    expect(await statuses(ownerId)).toEqual(['sent']);
  });

  it('counts towards the hourly limit while emails are in flight', async () => {
    const emails = Array.from({ length: 5 }, (_, n) => `person@${n}.slow.example`);
    const ownerId = await addContacts(...emails);
    void startProcess()();
    await haveArrived(4);
    release();
    await Promise.all(running);
    expect((await statuses(ownerId)).sort()).toEqual(['sent', 'sent', 'sent', 'sent', 'waiting']);
  });

  it('does not block the removal of the contact', async () => {
    const owner = await server.signUp();
    await server.context.db.execute(
      `update users set email_verified_at = now() where id = '${owner.userId}'`,
    );
    const { id } = await addContact(owner, { name: 'Ingrid', email: 'ingrid@slow.example' });
    const job = startProcess()();
    await haveArrived(1);
    expect((await owner.request('DELETE', `/api/contacts/${id}`)).status).toBe(204);
    release();
    await job;
    expect(await statuses(owner.userId)).toEqual([]);
  });
});
