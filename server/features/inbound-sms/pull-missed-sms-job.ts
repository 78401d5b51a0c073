import * as z from 'zod';
import type { AppContext } from '../../platform/context.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import type { SmsInbox } from '../../platform/sms/sms-inbox.ts';
import { acceptMissedSms } from './accept-sms.ts';
import { parseSms } from './parse-sms.ts';

/** At the first time in a process. Shorter than received messages are remembered, so that none is added twice. */
const FIRST_LOOK_BACK_MS = 14 * 24 * 60 * 60 * 1000;
/** Twilio dates a message before it calls the webhook. */
const OVERLAP_MS = 60 * 60 * 1000;

/** When the last pull of this process began. */
const pulledAt = new WeakMap<SmsInbox, Date>();

/** Adds the photos of messages whose webhook failed, such as on a full disk: Twilio repeats no webhook, but keeps the messages. */
export const pullMissedSmsJob = defineJob({
  name: 'pull-missed-sms',
  cron: '*/10 * * * *',
  payload: z.object({}),
  retries: 3,
  expireInSeconds: 10 * 60,
  runAtStart: true,
  async handle(context) {
    const { smsInbox, diskSpace } = context;
    if (smsInbox && (await diskSpace.hasRoom())) await pull(context, smsInbox);
  },
});

async function pull(context: AppContext, inbox: SmsInbox): Promise<void> {
  const now = context.clock.now();
  const last = pulledAt.get(inbox);
  const since = last ? last.getTime() - OVERLAP_MS : now.getTime() - FIRST_LOOK_BACK_MS;
  for (const { fields, receivedAt } of await inbox.listWithMedia(new Date(since))) {
    const sms = parseSms(fields);
    if (sms) await acceptMissedSms(context, sms, receivedAt);
  }
  pulledAt.set(inbox, now);
}
