import { isIP } from 'node:net';
import { join } from 'node:path';
import { Router, type Request, type Response } from 'express';
import type { AppContext } from '../../platform/context.ts';
import { DEV_OUTBOX_FOLDER } from '../../platform/data-folder/data-folder.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { sendPublicPage } from '../../platform/http/public-page.tsx';
import { findMail, inlineHtml, listMessages, type MessageKind } from './dev-outbox-files.ts';
import { isWaiting, OutboxPage, type OutboxPageProps } from './dev-outbox-page.tsx';
import { FORM_STYLES } from './send-sms-form.tsx';
import { testMailRoutes } from './test-email-routes.ts';
import { testTextRoutes } from './test-sms-routes.ts';

/**
 * The mail and the texts that stay on this machine, to be read in its browser; a text and a mail can be sent from there,
 * too. Either is there only while nothing else sends it; all of it only while the app is not offered to anybody else, and for requests that come straight from this
 * machine.
 */
export function outboxRoutes(
  context: Pick<AppContext, 'config' | 'clock' | 'keyedHash' | 'baseUrl' | 'smsSignature' | 'devSmsAccount'>,
): Router {
  const { config, clock, devSmsAccount } = context;
  const router = Router();
  const keepsMail = config.email.transport.kind === 'dev-outbox';
  const kinds: MessageKind[] = [
    ...(keepsMail ? ['mail' as const] : []),
    ...(config.sms.transport.kind === 'dev-outbox' ? ['text' as const] : []),
  ];
  const isPrivate = kinds.length > 0 && isLoopbackOrigin(config.http.publicUrl);
  const inboundDomain = config.inboundEmail.kind === 'embedded' ? config.inboundEmail.domain : null;
  const folder = join(config.dataDir, DEV_OUTBOX_FOLDER);

  function sendOutbox(
    response: Response,
    props: Pick<OutboxPageProps, 'messages' | 'sentId' | 'refused' | 'isMailed' | 'refusedMail'>,
    status = 200,
  ): void {
    const { messages, sentId = null } = props;
    const phoneNumber = devSmsAccount ? config.sms.phoneNumber : null;
    sendPublicPage(response, {
      status,
      title: 'Outbox',
      head: (
        <>
          {isWaiting(messages, sentId, clock.now()) && <meta httpEquiv="refresh" content="2" />}
          <style dangerouslySetInnerHTML={{ __html: FORM_STYLES }} />
        </>
      ),
      children: <OutboxPage {...{ kinds, phoneNumber, inboundDomain }} {...props} />,
    });
  }

  /** The page's policy lets only its own origin serve fonts, and it may be open at another name of this machine. */
  function withOwnFonts(html: string): string {
    return html.replaceAll(`${context.baseUrl.origin()}/fonts/`, '/fonts/');
  }

  router.use('/dev', (request, _response, next) => {
    if (!isPrivate || !isFromThisMachine(request)) throw new NotFoundError();
    next();
  });

  router.get('/dev/outbox', async (request, response) => {
    const sentId = typeof request.query['sent'] === 'string' ? request.query['sent'] : null;
    const messages = await listMessages(folder, kinds);
    sendOutbox(response, { messages, sentId, isMailed: request.query['mailed'] !== undefined });
  });

  if (devSmsAccount) {
    router.use(
      testTextRoutes(context, {
        account: devSmsAccount,
        folder,
        showRefused: async (response, refused) => {
          const messages = await listMessages(folder, kinds);
          sendOutbox(response, { messages, refused }, refused.error.status);
        },
      }),
    );
  }

  if (inboundDomain) {
    router.use(
      testMailRoutes(context, async (response, refusedMail) => {
        const messages = await listMessages(folder, kinds);
        sendOutbox(response, { messages, refusedMail }, refusedMail.error.status);
      }),
    );
  }

  router.get('/dev/outbox/:id', async (request, response) => {
    const mail = keepsMail ? await findMail(folder, request.params.id) : null;
    if (!mail) throw new NotFoundError();
    const { subject = '', from, to } = mail;
    sendPublicPage(response, {
      title: subject,
      children: (
        <>
          <p>
            <a href="/dev/outbox">Back to the outbox</a>
          </p>
          <h1>{subject}</h1>
          <p className="muted">
            From {from?.name} &lt;{from?.address}&gt; to {to?.[0]?.name} &lt;{to?.[0]?.address}&gt;
          </p>
          <iframe
            title="The email"
            className="mail"
            sandbox="allow-popups allow-popups-to-escape-sandbox"
            srcDoc={`<base target="_blank">${withOwnFonts(inlineHtml(mail))}`}
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
