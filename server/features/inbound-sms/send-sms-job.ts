import type { AppContext } from '../../platform/context.ts';
import { sendTextJobDefinition, type SendTextPayload } from '../job-catalogue.ts';
import type { JobHandler } from '../../platform/jobs/job-queue.ts';
import { SmsRefusedError, SmsUnavailableError } from '../../platform/sms/sms-sender.ts';

/** After that the queue's own retries count, and end. */
const MAX_POSTPONED = 10;

/**
 * Sends one text, at least once; a number that takes none is left alone. A provider that says how long to wait is not
 * asked sooner: the queue's pauses are shorter at first.
 */
export function sendTextJob({
  db,
  jobs,
  smsSender,
  logger,
}: Pick<AppContext, 'db' | 'jobs' | 'smsSender' | 'logger'>): JobHandler<SendTextPayload> {
  return async ({ postponed = 0, ...sms }) => {
    try {
      await smsSender.send(sms);
    } catch (error) {
      if (error instanceof SmsRefusedError)
        return logger.info({ err: error, smsId: sms.id }, 'A text was refused');
      const delaySeconds = error instanceof SmsUnavailableError ? error.retryAfterSeconds : null;
      if (!delaySeconds || postponed >= MAX_POSTPONED) throw error;
      logger.info({ err: error, smsId: sms.id, delaySeconds }, 'A text was postponed');
      const payload = { ...sms, postponed: postponed + 1 };
      await db.transaction((tx) => jobs.enqueue(tx, sendTextJobDefinition, payload, { delaySeconds }));
    }
  };
}
