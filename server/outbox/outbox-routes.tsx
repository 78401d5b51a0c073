import { isIP } from 'node:net';
import { join } from 'node:path';
import { Router, type Request } from 'express';
import type { AppContext } from '../context.ts';
import { OUTBOX_FOLDER } from '../data-folder.ts';
import { NotFoundError } from '../errors.ts';
import { sendPublicPage } from '../http/public-page.tsx';
import { findMail, inlineHtml, listMessages, type ListedMessage, type MessageKind } from './outbox-files.ts';

/**
 * The mail and the texts that stay on this machine, to be read in its browser. Either is there only while nothing else
 * sends it; all of it only while the app is not offered to anybody else, and for requests that come straight from this
 * machine.
 */
export function outboxRoutes({ config }: Pick<AppContext, 'config'>): Router {
  const router = Router();
  const keepsMail = config.mail.transport.kind === 'outbox';
  const kinds: MessageKind[] = [
    ...(keepsMail ? ['mail' as const] : []),
    ...(config.sms.transport.kind === 'outbox' ? ['text' as const] : []),
  ];
  const isPrivate = kinds.length > 0 && isLoopbackOrigin(config.http.publicUrl);
  const folder = join(config.dataDir, OUTBOX_FOLDER);

  router.use('/dev', (request, _response, next) => {
    if (!isPrivate || !isFromThisMachine(request)) throw new NotFoundError();
    next();
  });

  router.get('/dev/outbox', async (_request, response) => {
    const messages = await listMessages(folder, kinds);
    sendPublicPage(response, {
      title: 'Outbox',
      children: (
        <>
          <h1>Outbox</h1>
          <p className="muted">
            What this installation keeps to itself, as nothing is set up to send it:{' '}
            {kinds.map((kind) => KIND_NAMES[kind]).join(' and ')}.
          </p>
          {messages.length === 0 && <p>Nothing yet. It comes here once something is sent.</p>}
          <ol className="mails">
            {messages.map((message) => (
              <li key={message.id}>
                <Headline message={message} />
                <br />
                <span className="muted">
                  to {message.to}, {message.writtenAt.toISOString().slice(0, 16).replace('T', ' ')} UTC
                </span>
              </li>
            ))}
          </ol>
        </>
      ),
    });
  });

  router.get('/dev/outbox/:id', async (request, response) => {
    const mail = keepsMail ? await findMail(folder, request.params.id) : null;
    if (!mail) throw new NotFoundError();
    const { subject = '', from, to } = mail;
    sendPublicPage(response, {
      title: subject,
      children: (
        <>
          <p>
            <a href="/dev/outbox">All of the outbox</a>
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

const KIND_NAMES: Record<MessageKind, string> = { mail: 'mail', text: 'texts' };

/** A text is short enough to be read here. */
function Headline({ message }: { message: ListedMessage }) {
  if (message.kind === 'text') return message.text;
  return <a href={`/dev/outbox/${message.id}`}>{message.subject || '(no subject)'}</a>;
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
