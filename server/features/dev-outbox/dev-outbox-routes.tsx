import { join } from 'node:path';
import { Router, type Response } from 'express';
import type * as z from 'zod/mini';
import type { OutboxAccess } from '#shared/api/app-config';
import type { AppContext } from '../../platform/context.ts';
import { DEV_OUTBOX_FOLDER } from '../../platform/data-folder/data-folder.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { isFromThisMachine } from '../../platform/http/security/local-requests.ts';
import { sendPublicPage } from '../../platform/http/pages/public-page.tsx';
import { storedKinds } from './dev-outbox-access.ts';
import { findEmail, inlineHtml, listMessages } from './dev-outbox-files.ts';
import { isAwaitingReply, OutboxPage, type OutboxPageProps } from './dev-outbox-page.tsx';
import { hasDevOutboxKey, requireDevOutboxKey } from './dev-outbox-key-middleware.tsx';
import { FORM_STYLES } from './test-message-forms.tsx';
import { testEmailRoutes, testMediaRoutes, testSmsRoutes } from './test-message-routes.ts';

type OutboxEmail = NonNullable<Awaited<ReturnType<typeof findEmail>>>;

/** Only without a public URL, for direct requests from this machine, with the key. */
export function devOutboxRoutes(context: AppContext): Router {
  const { config, clock, devSmsAccount, devOutboxKey } = context;
  const router = Router();
  const storesEmail = config.email.transport.kind === 'dev-outbox';
  const kinds = storedKinds(config);
  const inboundDomain = config.inboundEmail.kind === 'embedded' ? config.inboundEmail.domain : null;
  const folder = join(config.dataDir, DEV_OUTBOX_FOLDER);

  async function sendOutbox(
    response: Response,
    props: Pick<OutboxPageProps, 'sentId' | 'rejectedSms' | 'isEmailSent' | 'rejectedEmail'>,
    status = 200,
  ): Promise<void> {
    const messages = await listMessages(folder, kinds);
    const phoneNumber = devSmsAccount ? config.sms.phoneNumber : null;
    sendPublicPage(response, {
      status,
      title: 'Outbox',
      head: (
        <>
          {isAwaitingReply(messages, props.sentId, clock.now()) && <meta httpEquiv="refresh" content="2" />}
          <style dangerouslySetInnerHTML={{ __html: FORM_STYLES }} />
        </>
      ),
      children: <OutboxPage {...{ messages, kinds, phoneNumber, inboundDomain }} {...props} />,
    });
  }

  router.use('/dev', (request, _response, next) => {
    if (devOutboxKey === null || !isFromThisMachine(request)) throw new NotFoundError();
    next();
  });

  if (devSmsAccount) router.use(testMediaRoutes(devSmsAccount, folder));

  if (devOutboxKey !== null) {
    router.get('/dev/outbox/access', (request, response) => {
      response
        .set('Cache-Control', 'no-store')
        .json({ hasKey: hasDevOutboxKey(request, devOutboxKey) } satisfies z.infer<typeof OutboxAccess>);
    });
    router.use('/dev', requireDevOutboxKey(devOutboxKey));
  }

  router.get('/dev/outbox', async (request, response) => {
    const sentId = typeof request.query['sent'] === 'string' ? request.query['sent'] : null;
    await sendOutbox(response, { sentId, isEmailSent: request.query['mailed'] !== undefined });
  });

  if (devSmsAccount) {
    router.use(
      testSmsRoutes(context, devSmsAccount.accountSid, folder, (response, rejectedSms) =>
        sendOutbox(response, { rejectedSms }, rejectedSms.error.status),
      ),
    );
  }

  if (inboundDomain) {
    router.use(
      testEmailRoutes(context, (response, rejectedEmail) =>
        sendOutbox(response, { rejectedEmail }, rejectedEmail.error.status),
      ),
    );
  }

  router.get('/dev/outbox/:id', async (request, response) => {
    const email = storesEmail ? await findEmail(folder, request.params.id) : null;
    if (!email) throw new NotFoundError();
    sendPublicPage(response, { title: email.subject ?? '', children: <EmailPage email={email} /> });
  });

  return router;
}

function EmailPage({ email }: { email: OutboxEmail }) {
  const { subject = '', from, to } = email;
  return (
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
        srcDoc={`<base target="_blank">${inlineHtml(email)}`}
      />
      <h2>As plain text</h2>
      <pre>{email.text}</pre>
    </>
  );
}
