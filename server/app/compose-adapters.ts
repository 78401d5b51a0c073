import { join } from 'node:path';
import { createLocalDkimKey } from '../features/inbound-email/local-dkim-key.ts';
import type { CaricatureGenerator } from '../platform/caricature-generator/caricature-generator.ts';
import { createLocalCaricatureGenerator } from '../platform/caricature-generator/local-caricature-generator.ts';
import type { Config } from '../platform/config/config.ts';
import type { AppContext } from '../platform/context.ts';
import { DEV_OUTBOX_FOLDER } from '../platform/data-folder/data-folder.ts';
import { createLocalKeyDns, createSystemDns, type DnsResolver } from '../platform/dns-resolver.ts';
import { findIsolation } from '../platform/image-decoder/decoder-command.ts';
import { startDecoderProcess } from '../platform/image-decoder/decoder-process-handle.ts';
import { createImageDecoder } from '../platform/image-decoder/image-decoder.ts';
import { createDevOutboxMailer } from '../platform/mailer/dev-outbox-mailer.ts';
import type { Mailer } from '../platform/mailer/mailer.ts';
import { createSmtpMailer } from '../platform/mailer/smtp-mailer.ts';
import { createDevOutboxSms } from '../platform/sms/dev-outbox-sms.ts';
import type { SmsInbox } from '../platform/sms/sms-inbox.ts';
import type { SmsSender } from '../platform/sms/sms-sender.ts';
import { createTwilioSignature } from '../platform/sms/sms-signature.ts';
import { createTwilioMedia } from '../platform/sms/twilio-media.ts';
import type { Disposer } from './disposer.ts';

/** The account of the dev outbox, which stands in for Twilio. */
const DEV_ACCOUNT_SID = `AC${'0'.repeat(32)}`;

const ISOLATION_WARNINGS = {
  full: [],
  'no-network': [
    'The image decoder can read and write files: this system allows it no root folder, or the data folder is in the program.',
  ],
  none: [
    'The image decoder runs without isolation: this system does not allow namespaces, or unshare or setpriv is missing.',
  ],
};

export type DecoderOverrides = {
  findIsolation?: typeof findIsolation;
  startDecoderProcess?: typeof startDecoderProcess;
};

export async function openDecoder(
  hiddenFolders: string[],
  {
    disposer,
    logger,
    overrides,
  }: Pick<AppContext, 'logger'> & {
    disposer: Disposer;
    overrides: DecoderOverrides;
  },
) {
  const isolation = await (overrides.findIsolation ?? findIsolation)(hiddenFolders);
  const warnings = ISOLATION_WARNINGS[isolation];
  for (const warning of warnings) logger.warn(warning);
  const sandbox = { isolation, hiddenFolders };
  const startDecoder = overrides.startDecoderProcess ?? startDecoderProcess;
  const decoder = disposer.add(
    createImageDecoder({ startProcess: () => startDecoder(undefined, sandbox) }),
    (each) => each.close(),
  );
  return { decoder, warnings };
}

export function openDns(config: Config, keyedHash: AppContext['keyedHash']): DnsResolver {
  return config.inboundEmail.kind === 'embedded'
    ? createLocalKeyDns(createLocalDkimKey(keyedHash))
    : createSystemDns();
}

export function openMailer(config: Config, disposer: Disposer): Mailer {
  const { transport, sender } = config.email;
  const mailer =
    transport.kind === 'smtp'
      ? createSmtpMailer(transport, sender)
      : createDevOutboxMailer(join(config.dataDir, DEV_OUTBOX_FOLDER), sender);
  return disposer.add(mailer, () => Promise.resolve(mailer.close()));
}

export async function openSmsSender(config: Config): Promise<SmsSender> {
  const { transport, phoneNumber } = config.sms;
  if (transport.kind === 'dev-outbox')
    return createDevOutboxSms(join(config.dataDir, DEV_OUTBOX_FOLDER), phoneNumber ?? '');
  // Large, and needed only with Twilio.
  const { createTwilioSms } = await import('../platform/sms/twilio-sms.ts');
  return createTwilioSms(transport, phoneNumber);
}

export async function openSmsInbox(config: Config): Promise<SmsInbox | null> {
  const { transport, phoneNumber } = config.sms;
  if (transport.kind === 'dev-outbox') return null;
  const { createTwilioInbox } = await import('../platform/sms/twilio-inbox.ts');
  return createTwilioInbox(transport, phoneNumber);
}

export function openInboundSms(
  config: Config,
  keyedHash: AppContext['keyedHash'],
  baseUrl: AppContext['baseUrl'],
): Pick<AppContext, 'smsSignature' | 'mediaSource' | 'devSmsAccount'> {
  const { transport } = config.sms;
  const isDevOutbox = transport.kind === 'dev-outbox';
  const account = isDevOutbox
    ? { accountSid: DEV_ACCOUNT_SID, authToken: keyedHash('own-sms-account'), mediaUrls: [] }
    : transport;
  return {
    smsSignature: createTwilioSignature(account.authToken),
    mediaSource: createTwilioMedia({
      ...account,
      apiOrigin: () => (isDevOutbox ? baseUrl.origin() : transport.apiUrl),
    }),
    devSmsAccount: isDevOutbox ? account : null,
  };
}

export async function openCaricatureGenerator(
  { caricatureGenerator: settings }: Config,
  disposer: Disposer,
): Promise<CaricatureGenerator> {
  const generator =
    settings.kind === 'openai'
      ? // Large, and needed only with OpenAI.
        (
          await import('../platform/caricature-generator/openai-caricature-generator.ts')
        ).createOpenaiCaricatureGenerator(settings)
      : createLocalCaricatureGenerator();
  return disposer.add(generator, () => generator.close());
}
