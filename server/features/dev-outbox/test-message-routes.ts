import { Router, type Response } from 'express';
import multer, { MulterError } from 'multer';
import type { AppContext } from '../../platform/context.ts';
import {
  AppError,
  InvalidError,
  MalformedError,
  NotFoundError,
  UnauthorizedError,
} from '../../platform/errors.ts';
import { findMedia } from './dev-outbox-files.ts';
import { sendTestEmail, TEST_EMAIL_MAX_PHOTOS, type TestPhoto } from './send-test-email.ts';
import { mediaTypeOf, sendTestSms, TEST_SMS_MAX_PHOTOS } from './send-test-sms.ts';
import type { RejectedForm } from './test-message-forms.tsx';

type ShowRejected = (response: Response, rejected: RejectedForm) => Promise<void>;

export function testSmsRoutes(
  context: Pick<AppContext, 'config' | 'baseUrl' | 'smsSignature'>,
  accountSid: string,
  folder: string,
  showRejected: ShowRejected,
): Router {
  return testFormRoutes({
    path: '/dev/sms',
    fieldNames: ['from', 'text'],
    maxPhotos: TEST_SMS_MAX_PHOTOS,
    // More than the album accepts, to show how a photo that is too large is rejected.
    photoMaxMegabytes: 25,
    tooManyPhotos: `A text carries at most ${TEST_SMS_MAX_PHOTOS} photos.`,
    photoTooLarge: 'Please choose photos of at most 25 MB each.',
    async send(values, photos) {
      const sms = { ...values, photos: photos.map(({ bytes }) => bytes) };
      const sent = await sendTestSms(context, { accountSid, folder }, sms);
      return { body: sent, page: `/dev/outbox?sent=${sent.id}` };
    },
    showRejected,
  });
}

/** As Twilio's: a photo is for the account only. */
export function testMediaRoutes(
  { accountSid, authToken }: NonNullable<AppContext['devSmsAccount']>,
  folder: string,
): Router {
  const router = Router();
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;

  router.get('/dev/media/:id', async (request, response) => {
    const bytes = await findMedia(folder, request.params.id);
    if (!bytes) throw new NotFoundError();
    if (request.get('Authorization') !== authorization) throw new UnauthorizedError();
    response
      .set('Cache-Control', 'no-store')
      .type(await mediaTypeOf(bytes))
      .send(bytes);
  });

  return router;
}

export function testEmailRoutes(
  context: Pick<AppContext, 'config' | 'baseUrl' | 'keyedHash'>,
  showRejected: ShowRejected,
): Router {
  const tooMuch = `Please choose at most ${TEST_EMAIL_MAX_PHOTOS} photos, of at most 40 MB together.`;
  return testFormRoutes({
    path: '/dev/emails',
    fieldNames: ['from', 'to', 'subject', 'text'],
    maxPhotos: TEST_EMAIL_MAX_PHOTOS,
    // The limit of a whole email.
    photoMaxMegabytes: 40,
    tooManyPhotos: tooMuch,
    photoTooLarge: tooMuch,
    async send(values, photos) {
      await sendTestEmail(context, { ...values, photos });
      return { body: { message: 'Sent.' }, page: '/dev/outbox?mailed=1' };
    },
    showRejected,
  });
}

const MEGABYTE = 1024 * 1024;

type TestForm<Name extends string> = {
  path: string;
  fieldNames: readonly Name[];
  maxPhotos: number;
  photoMaxMegabytes: number;
  tooManyPhotos: string;
  photoTooLarge: string;
  /** @returns the body of a JSON response, and the page to which a browser is redirected */
  send(values: Record<Name, string>, photos: TestPhoto[]): Promise<{ body: object; page: string }>;
  showRejected: ShowRejected;
};

/** A form of the outbox page, which `npm run sms` and `npm run email` post as well. */
function testFormRoutes<Name extends string>(form: TestForm<Name>): Router {
  const router = Router();
  const parseForm = multer({
    limits: {
      fileSize: form.photoMaxMegabytes * MEGABYTE,
      files: form.maxPhotos,
      fieldSize: MEGABYTE,
      fields: 10,
      fieldNestingDepth: 0,
    },
  }).array('photos');

  router.post(form.path, async (request, response) => {
    const parseError = await new Promise<unknown>((resolve) => void parseForm(request, response, resolve));
    const isPage = request.accepts(['html', 'json']) === 'html';
    const body = (request.body ?? {}) as Record<string, unknown>;
    const values = Object.fromEntries(
      form.fieldNames.map((name) => [name, typeof body[name] === 'string' ? body[name] : '']),
    ) as Record<Name, string>;
    try {
      if (parseError) throw toAppError(parseError, form);
      const files = (request.files ?? []) as Express.Multer.File[];
      const photos = files.map(({ originalname, buffer }) => ({ name: originalname, bytes: buffer }));
      const sent = await form.send(values, photos);
      if (isPage) response.redirect(303, sent.page);
      else response.status(202).json(sent.body);
    } catch (error) {
      if (!isPage || !(error instanceof AppError)) throw error;
      await form.showRejected(response, { values, error });
    }
  });

  return router;
}

function toAppError(
  error: unknown,
  { tooManyPhotos, photoTooLarge }: Pick<TestForm<string>, 'tooManyPhotos' | 'photoTooLarge'>,
): AppError {
  const code = error instanceof MulterError ? error.code : null;
  if (code === 'LIMIT_FILE_COUNT') return new InvalidError(tooManyPhotos, { photos: tooManyPhotos });
  if (code === 'LIMIT_FILE_SIZE') return new InvalidError(photoTooLarge, { photos: photoTooLarge });
  return new MalformedError('This form could not be read, or was cut off.');
}
