import { isIP } from 'node:net';
import { join } from 'node:path';
import { Router, type Request } from 'express';
import type { AppContext } from '../context.ts';
import { OUTBOX_FOLDER } from '../data-folder.ts';
import { NotFoundError } from '../errors.ts';
import { sendPublicPage } from '../http/public-page.tsx';
import { findMail, inlineHtml, listMails } from './outbox-files.ts';

/**
 * The mail that stays on this machine, to be read in its browser. It is there only while nothing else sends mail and
 * the app is not offered to anybody else, and only for requests that come straight from this machine.
 */
export function outboxRoutes({ config }: Pick<AppContext, 'config'>): Router {
  const router = Router();
  const isPrivate = config.mail.transport.kind === 'outbox' && isLoopbackOrigin(config.http.publicUrl);
  const folder = join(config.dataDir, OUTBOX_FOLDER);

  router.use('/dev', (request, _response, next) => {
    if (!isPrivate || !isFromThisMachine(request)) throw new NotFoundError();
    next();
  });

  router.get('/dev/outbox', async (_request, response) => {
    const mails = await listMails(folder);
    sendPublicPage(response, {
      title: 'Outbox',
      children: (
        <>
          <h1>Outbox</h1>
          <p className="muted">Mail that this installation keeps to itself: no mail server is set up.</p>
          {mails.length === 0 && <p>No mail yet. It comes here once something is sent.</p>}
          <ol className="mails">
            {mails.map(({ id, subject, to, writtenAt }) => (
              <li key={id}>
                <a href={`/dev/outbox/${id}`}>{subject || '(no subject)'}</a>
                <br />
                <span className="muted">
                  to {to}, {writtenAt.toISOString().slice(0, 16).replace('T', ' ')} UTC
                </span>
              </li>
            ))}
          </ol>
        </>
      ),
    });
  });

  router.get('/dev/outbox/:id', async (request, response) => {
    const mail = await findMail(folder, request.params.id);
    if (!mail) throw new NotFoundError();
    const { subject = '', from, to } = mail;
    sendPublicPage(response, {
      title: subject,
      children: (
        <>
          <p>
            <a href="/dev/outbox">All mail</a>
          </p>
          <h1>{subject}</h1>
          <p className="muted">
            From {from?.name} &lt;{from?.address}&gt; to {to?.[0]?.name} &lt;{to?.[0]?.address}&gt;
          </p>
          <iframe
            title="The mail"
            className="mail"
            sandbox="allow-popups allow-popups-to-escape-sandbox"
            srcDoc={`<base target="_blank">${inlineHtml(mail)}`}
          />
          <h2>As plain text</h2>
          <pre>{mail.text}</pre>
        </>
      ),
    });
  });

  return router;
}

/** A proxy in between would bring everybody's requests from this machine; a foreign name, another site's page. */
function isFromThisMachine(request: Request): boolean {
  const isForwarded = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'].some(
    (name) => request.headers[name] !== undefined,
  );
  const isDirect = !isForwarded && isLoopbackAddress(request.socket.remoteAddress ?? '');
  return isDirect && isLoopbackOrigin(`http://${request.headers.host ?? ''}`);
}

function isLoopbackOrigin(origin: string | null): boolean {
  if (origin === null) return true;
  if (!URL.canParse(origin)) return false;
  const host = new URL(origin).hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || host.endsWith('.localhost') || isLoopbackAddress(host);
}

function isLoopbackAddress(address: string): boolean {
  const plain = address.replace(/^::ffff:/, '');
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
}
