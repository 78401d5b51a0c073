import * as z from 'zod';
import type { AppContext } from '../../platform/context.ts';
import { defineJob } from '../../platform/jobs/define-job.ts';
import { SmsRejectedError, SmsUnavailableError } from '../../platform/sms/sms-sender.ts';

/** Then the job fails, and the queue's retries count. */
const MAX_POSTPONED = 10;

const Payload = z.object({
  id: z.string(),
  to: z.string(),
  text: z.string(),
  /** How often the provider has asked us to wait. */
  postponed: z.optional(z.number()),
});

/** At least once. Verification codes are sent while the person waits, without this job. */
export const sendSmsJob = defineJob({
  name: 'send-sms',
  formerNames: ['send-text'],
  payload: Payload,
  retries: 10,
  expireInSeconds: 60,
  handle: sendSms,
});

async function sendSms(
  { db, jobs, smsSender, logger }: AppContext,
  { postponed = 0, ...sms }: z.infer<typeof Payload>,
): Promise<void> {
  try {
    await smsSender.send(sms);
  } catch (error) {
    if (error instanceof SmsRejectedError)
      return logger.info({ err: error, smsId: sms.id }, 'The provider rejected an SMS');
    const delaySeconds = error instanceof SmsUnavailableError ? error.retryAfterSeconds : null;
    if (!delaySeconds || postponed >= MAX_POSTPONED) throw error;
    // The queue's own backoff starts shorter than the pause the provider asks for.
    logger.info({ err: error, smsId: sms.id, delaySeconds }, 'An SMS was postponed');
    const payload = { ...sms, postponed: postponed + 1 };
    await db.transaction((tx) => jobs.enqueue(tx, sendSmsJob, payload, { delaySeconds }));
  }
}
