import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { AppContext } from '../../platform/context.ts';
import { AppError, NotFoundError, UnauthorizedError } from '../../platform/errors.ts';
import { findMedia } from './dev-outbox-files.ts';
import { explainForm, readTestText } from './receive-test-sms.ts';
import { mediaTypeOf, sendTestText } from './send-test-sms.ts';
import type { RefusedText } from './send-sms-form.tsx';

/** What Twilio would do with a text from a phone, and the host of its media. Asked by the outbox's page and by a program. */
export function testTextRoutes(
  context: Pick<AppContext, 'config' | 'baseUrl' | 'smsSignature'>,
  outbox: {
    account: NonNullable<AppContext['devSmsAccount']>;
    folder: string;
    showRefused(response: Response, refused: RefusedText): Promise<void>;
  },
): Router {
  const { accountSid, authToken } = outbox.account;
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  const router = Router();

  router.post('/dev/texts', readForm, async (request, response) => {
    const isPage = request.accepts(['html', 'json']) === 'html';
    const fields = (request.body ?? {}) as Record<string, unknown>;
    const sent = { from: textOf(fields['from']), text: textOf(fields['text']) };
    try {
      const photos = photosOf(request, response);
      const { id, from } = await sendTestText(
        context,
        { accountSid, folder: outbox.folder },
        { ...sent, photos },
      );
      if (isPage) response.redirect(303, `/dev/outbox?sent=${id}`);
      else response.status(202).json({ id, from });
    } catch (error) {
      if (!isPage || !(error instanceof AppError)) throw error;
      await outbox.showRefused(response, { ...sent, error });
    }
  });

  router.get('/dev/media/:id', async (request, response) => {
    const bytes = await findMedia(outbox.folder, request.params.id);
    if (!bytes) throw new NotFoundError();
    if (request.get('Authorization') !== authorization) throw new UnauthorizedError();
    response
      .set('Cache-Control', 'no-store')
      .type(await mediaTypeOf(bytes))
      .send(bytes);
  });

  return router;
}

/** What cannot be read is told as all else that is wrong with a form. */
const readForm: RequestHandler = (request, response, next) =>
  void readTestText(request, response, (error: unknown) => {
    response.locals['unreadable'] = error;
    next();
  });

/** @throws AppError when the form could not be read */
function photosOf(request: Request, response: Response): Buffer[] {
  const unreadable: unknown = response.locals['unreadable'];
  if (unreadable) throw explainForm(unreadable);
  return ((request.files ?? []) as Express.Multer.File[]).map(({ buffer }) => buffer);
}

function textOf(field: unknown): string {
  return typeof field === 'string' ? field : '';
}
