import { Router, type Request, type RequestHandler, type Response } from 'express';
import multer, { MulterError } from 'multer';
import type { AppContext } from '../../platform/context.ts';
import { AppError, InvalidError, MalformedError } from '../../platform/errors.ts';
import { MAIL_MAX_PHOTOS, sendTestMail } from './send-test-email.ts';
import type { RefusedMail } from './send-email-form.tsx';

const MEGABYTE = 1024 * 1024;
/** A whole mail may have no more. */
const PHOTO_MAX_MEGABYTES = 40;

/** What a mail server would do with a mail from a mail program. Asked by the outbox's page and by a program. */
export function testMailRoutes(
  context: Pick<AppContext, 'config' | 'baseUrl' | 'keyedHash'>,
  showRefused: (response: Response, refused: RefusedMail) => Promise<void>,
): Router {
  const router = Router();

  router.post('/dev/mails', readForm, async (request, response) => {
    const isPage = request.accepts(['html', 'json']) === 'html';
    const fields = (request.body ?? {}) as Record<string, unknown>;
    const [from = '', to = '', subject = '', text = ''] = ['from', 'to', 'subject', 'text'].map((name) =>
      textOf(fields[name]),
    );
    try {
      await sendTestMail(context, { from, to, subject, text, photos: photosOf(request, response) });
      if (isPage) response.redirect(303, '/dev/outbox?mailed=1');
      else response.status(202).json({ message: 'Sent.' });
    } catch (error) {
      if (!isPage || !(error instanceof AppError)) throw error;
      await showRefused(response, { from, to, subject, text, error });
    }
  });

  return router;
}

const readMail = multer({
  limits: {
    fileSize: PHOTO_MAX_MEGABYTES * MEGABYTE,
    files: MAIL_MAX_PHOTOS,
    fieldSize: MEGABYTE,
    fields: 10,
    fieldNestingDepth: 0,
  },
}).array('photos');

/** What cannot be read is told as all else that is wrong with a form. */
const readForm: RequestHandler = (request, response, next) =>
  void readMail(request, response, (error: unknown) => {
    response.locals['unreadable'] = error;
    next();
  });

/** @throws AppError when the form could not be read */
function photosOf(request: Request, response: Response): { name: string; bytes: Buffer }[] {
  const unreadable: unknown = response.locals['unreadable'];
  if (unreadable) throw explain(unreadable);
  const files = (request.files ?? []) as Express.Multer.File[];
  return files.map(({ originalname, buffer }) => ({ name: originalname, bytes: buffer }));
}

function explain(error: unknown): AppError {
  if (!(error instanceof MulterError))
    return new MalformedError('This form could not be read, or was cut off.');
  const message = `Please choose at most ${MAIL_MAX_PHOTOS} photos, of at most ${PHOTO_MAX_MEGABYTES} MB together.`;
  return new InvalidError(message, { photos: message });
}

function textOf(field: unknown): string {
  return typeof field === 'string' ? field : '';
}
