import { generateKeyPair } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { promisify } from 'node:util';
import {
  SMTPServer,
  type SMTPServerDataStream,
  type SMTPServerOptions,
  type SMTPServerSession,
} from 'smtp-server';
import type { AppContext } from '../../../platform/context.ts';
import { AppError } from '../../../platform/errors.ts';
import { clientIp } from '../../../platform/client-info/client-ip.ts';
import { StartupError } from '../../../platform/process/startup-error.ts';
import { domainOf, toPlainAddress } from '../sender/from-address.ts';
import { MAX_EMAIL_BYTES } from '../parse/parse-email.ts';
import { findRecipient, receiveEmail } from './receive-email.ts';

const MAX_CLIENTS = 50;
/** So that one client cannot use up all connections. */
const MAX_CLIENTS_PER_IP = 10;
const MAX_RECIPIENTS = 20;
/** Per connection, against guessing addresses. */
const MAX_UNKNOWN_RECIPIENTS = 5;
const SOCKET_TIMEOUT_MS = 60_000;
/** Against clients that trickle. Ample for 40 MB. */
const CONNECTION_TIMEOUT_MS = 30 * 60_000;
const CLOSE_TIMEOUT_MS = 2_000;
const CERTIFICATE_YEARS = 10;

const OPTIONS: SMTPServerOptions = {
  banner: 'Photos for Mems Are Forever',
  size: MAX_EMAIL_BYTES,
  authOptional: true,
  disabledCommands: ['AUTH'],
  disableReverseLookup: true,
  maxClients: MAX_CLIENTS,
  socketTimeout: SOCKET_TIMEOUT_MS,
  closeTimeout: CLOSE_TIMEOUT_MS,
};

export type SmtpReceiver = {
  port: number;
  close(): Promise<void>;
};

/** What the sessions have done so far. */
type Receiving = {
  context: AppContext;
  unknown: WeakMap<SMTPServerSession, number>;
  /** Address by owner id. */
  recipients: WeakMap<SMTPServerSession, Map<string, string>>;
  admitted: Map<SMTPServerSession, string>;
};

/** Relays nothing. @throws StartupError when it cannot listen */
export async function startSmtpReceiver(
  context: AppContext,
  connectionTimeoutMs = CONNECTION_TIMEOUT_MS,
): Promise<SmtpReceiver | null> {
  const { inboundEmail } = context.config;
  if (inboundEmail.kind === 'off' || !inboundEmail.smtp) return null;
  const { host, port, tls } = inboundEmail.smtp;
  const server = new SMTPServer({
    name: inboundEmail.domain,
    ...OPTIONS,
    ...(tls ?? (await makeSelfSignedCertificate(inboundEmail.domain))),
    ...handlers({ context, unknown: new WeakMap(), recipients: new WeakMap(), admitted: new Map() }),
  });
  server.on('error', (error) => context.logger.warn({ err: error }, 'SMTP receiver error'));
  server.server.on('connection', (socket) => {
    const timer = setTimeout(() => socket.destroy(), connectionTimeoutMs);
    socket.once('close', () => clearTimeout(timer));
  });
  await listenOrExplain(server, host, port);
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function handlers(receiving: Receiving): SMTPServerOptions {
  const { context, recipients, admitted } = receiving;
  return {
    onConnect: replyWhenDone(context, (session) => admit(receiving, session)),
    onClose: (session) => void admitted.delete(session),
    onMailFrom: (_address, session, done) => {
      recipients.delete(session);
      done();
    },
    onRcptTo: ({ address }, session, done) =>
      replyWhenDone(context, (each) => addRecipient(receiving, address, each))(session, done),
    onData: (stream, session, done) =>
      replyWhenDone(context, (each) => receive(receiving, stream, each))(session, done),
  };
}

/** Replies to errors with an SMTP code: 5xx is permanent, 4xx makes the sender retry. */
function replyWhenDone(context: AppContext, act: (session: SMTPServerSession) => Promise<void>) {
  return (session: SMTPServerSession, done: (error?: Error | null) => void): void => {
    act(session).then(
      () => done(),
      (error: unknown) => {
        const code = codeOf(error);
        const limit = limitOf(error);
        if (limit) {
          const ip = clientIp({ ip: session.remoteAddress });
          context.securityLog.record('rate-limit', 'refused', { ip, details: { limit } });
        }
        if (code === 451) context.logger.warn({ err: error }, 'An email could not be received');
        done(Object.assign(new Error(messageOf(error)), { responseCode: code }));
      },
    );
  };
}

async function admit({ context, admitted }: Receiving, session: SMTPServerSession): Promise<void> {
  const address = clientIp({ ip: session.remoteAddress });
  const connections = [...admitted.values()].filter((each) => each === address).length;
  if (connections >= MAX_CLIENTS_PER_IP)
    throw new SmtpError(
      421,
      'Too many connections from your address, try again in a moment',
      'smtpConnections',
    );
  admitted.set(session, address);
  await context.rateLimits.inboundEmailPerIp.consume(address, 'Too many emails.');
}

async function addRecipient(
  { context, unknown, recipients }: Receiving,
  address: string,
  session: SMTPServerSession,
): Promise<void> {
  const unknownSoFar = unknown.get(session) ?? 0;
  if (unknownSoFar >= MAX_UNKNOWN_RECIPIENTS)
    throw new SmtpError(421, 'Too many unknown recipients', 'smtpUnknownRecipients');
  const owner = await findRecipient(context, address);
  if (!owner) {
    unknown.set(session, unknownSoFar + 1);
    throw new SmtpError(550, 'No such mailbox here');
  }
  const known = recipients.get(session) ?? new Map<string, string>();
  if (!known.has(owner.id)) {
    if (known.size >= MAX_RECIPIENTS) throw new SmtpError(452, 'Too many recipients');
    await context.rateLimits.inboundEmailPerUser.consume(owner.id, 'Too many emails.');
  }
  recipients.set(session, known.set(owner.id, address));
}

/** An address may have been reset since RCPT TO. */
async function findOwnersAgain(
  { context, recipients }: Receiving,
  session: SMTPServerSession,
): Promise<string[]> {
  const addresses = [...(recipients.get(session)?.values() ?? [])];
  const owners = await Promise.all(addresses.map((address) => findRecipient(context, address)));
  const ids = owners.flatMap((owner) => owner?.id ?? []);
  if (ids.length === 0) throw new SmtpError(550, 'This mailbox no longer exists here');
  return ids;
}

async function receive(
  receiving: Receiving,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
): Promise<void> {
  const { context } = receiving;
  const ownerIds = await findOwnersAgain(receiving, session);
  const { mailFrom } = session.envelope;
  const envelopeSender = mailFrom ? mailFrom.address : '';
  const spfDomain = await passedSpf(context, envelopeSender, session);
  const body = new PassThrough();
  // Readers get errors as well. Once there is no reader, an error without a listener would crash the process.
  body.on('error', () => undefined);
  stream.pipe(body);
  // A broken connection must not look like the end of the email.
  stream.once('close', () => stream.readableEnded || body.destroy(new Error('The connection broke')));
  if (stream.destroyed) throw new Error('The connection broke');
  try {
    await receiveEmail(context, ownerIds, { body, envelopeSender, spfDomain });
  } catch (error) {
    // SMTP replies only after all data was read.
    stream.unpipe(body);
    stream.resume();
    throw error;
  }
}

/** The envelope sender's domain if its SPF record allows this client; empty otherwise. */
async function passedSpf(
  { dns }: Pick<AppContext, 'dns'>,
  sender: string,
  { remoteAddress, hostNameAppearsAs }: SMTPServerSession,
): Promise<string> {
  const address = toPlainAddress(sender);
  if (!address) return '';
  const { spf } = await import('mailauth/lib/spf/index.js');
  const { status } = await spf({
    sender: address,
    ip: remoteAddress,
    helo: hostNameAppearsAs || 'unknown',
    resolver: (name: string, type: string) => dns.resolve(name, type) as Promise<string[]>,
  });
  return status.result === 'pass' ? domainOf(address) : '';
}

class SmtpError extends Error {
  constructor(
    readonly code: number,
    message: string,
    /** For the security log. */
    readonly limit?: string,
  ) {
    super(message);
  }
}

function limitOf(error: unknown): string | undefined {
  if (error instanceof SmtpError) return error.limit;
  const security = error instanceof AppError ? error.details.security : undefined;
  return security?.event === 'rate-limit' ? String(security.details?.['limit']) : undefined;
}

function codeOf(error: unknown): number {
  if (error instanceof SmtpError) return error.code;
  if (!(error instanceof AppError)) return 451;
  return { 400: 554, 413: 552, 429: 450, 507: 452 }[error.status] ?? 451;
}

function messageOf(error: unknown): string {
  const isOurs = error instanceof SmtpError || error instanceof AppError;
  return isOurs ? error.message : 'Please try again later';
}

async function listenOrExplain(server: SMTPServer, host: string, port: number): Promise<void> {
  try {
    const listening = once(server.server, 'listening');
    server.listen(port, host);
    await listening;
  } catch (error) {
    throw new StartupError(
      `Email cannot be received on port ${port} of ${host}: ${(error as Error).message}. Set INBOUND_SMTP_PORT and INBOUND_SMTP_HOST to another.`,
    );
  }
}

/** For opportunistic TLS: mail servers do not verify the certificate. Both are PEM. */
async function makeSelfSignedCertificate(domain: string): Promise<{ key: string; cert: string }> {
  const { pki, md } = (await import('node-forge')).default;
  const pair = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const certificate = pki.createCertificate();
  certificate.serialNumber = '01';
  const name = [{ name: 'commonName', value: domain }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([{ name: 'subjectAltName', altNames: [{ type: 2, value: domain }] }]);
  certificate.publicKey = pki.publicKeyFromPem(pair.publicKey);
  certificate.validity.notAfter.setFullYear(certificate.validity.notBefore.getFullYear() + CERTIFICATE_YEARS);
  certificate.sign(pki.privateKeyFromPem(pair.privateKey), md.sha256.create());
  return { key: pair.privateKey, cert: pki.certificateToPem(certificate) };
}
