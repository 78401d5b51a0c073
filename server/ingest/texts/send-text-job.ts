import type { AppContext } from '../../context.ts';
import type { SendTextPayload } from '../../jobs/job-catalogue.ts';
import type { JobHandler } from '../../ports/job-queue.ts';
import { SmsRefusedError } from '../../ports/sms-sender.ts';

/** Sends one text, at least once; a number that takes none is left alone. */
export function sendTextJob({
  smsSender,
  logger,
}: Pick<AppContext, 'smsSender' | 'logger'>): JobHandler<SendTextPayload> {
  return async (sms) => {
    try {
      await smsSender.send(sms);
    } catch (error) {
      if (!(error instanceof SmsRefusedError)) throw error;
      logger.info({ err: error, smsId: sms.id }, 'A text was refused');
    }
  };
}
