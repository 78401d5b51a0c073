import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { AppContext } from '../../platform/context.ts';
import { AppError } from '../../platform/errors.ts';
import { clientIp } from '../../platform/client-ip.ts';
import { StartupError } from '../../platform/startup-error.ts';
import { domainOf, plainAddress } from './sender/from-address.ts';
import { EMAIL_MAX_BYTES } from './parse-email.ts';
import { findRecipient, receiveEmail } from './receive-email.ts';
import { makeSelfSignedCertificate } from './self-signed-certificate.ts';

const MOST_CLIENTS = 50;
/** So that nobody holds all places by doing nothing. */
const MOST_CLIENTS_PER_ADDRESS = 10;
const MOST_RECIPIENTS = 20;
/** Whoever asks for so many addresses in one connection that are nobody's is guessing. */
const MOST_UNKNOWN = 5;
const SOCKET_TIMEOUT_MS = 60_000;
/** Also for whoever says a little now and then: ample for forty megabytes. */
const LONGEST_CONNECTION_MS = 30 * 60_000;
const CLOSE_TIMEOUT_MS = 2_000;

export type SmtpReceiver = {
  port: number;
  /** Takes no new connections. A mail that is not received whole within a moment is sent again by its server. */
  close(): Promise<void>;
};

type Context = Pick<
  AppContext,
  'config' | 'db' | 'storage' | 'jobs' | 'clock' | 'dns' | 'mailer' | 'rateLimits' | 'logger'
>;

/** Receives mail for accounts' own addresses, and for nobody else. @throws StartupError when the port is not to be had */
export async function startSmtpReceiver(
  context: Context,
  longestConnectionMs = LONGEST_CONNECTION_MS,
): Promise<SmtpReceiver | null> {
  const { inboundEmail } = context.config;
  if (inboundEmail.kind === 'off' || !inboundEmail.smtp) return null;
  const { host, port, tls } = inboundEmail.smtp;
  const unknown = new WeakMap<SMTPServerSession, number>();
  /** Each owner once, by the address that was named last. */
  const recipients = new WeakMap<SMTPServerSession, Map<string, string>>();
  /** Whose place it is. */
  const admitted = new Map<SMTPServerSession, string>();

  const server = new SMTPServer({
    name: inboundEmail.domain,
    banner: 'Photos for Mems Are Forever',
    size: EMAIL_MAX_BYTES,
    authOptional: true,
    disabledCommands: ['AUTH'],
    disableReverseLookup: true,
    maxClients: MOST_CLIENTS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    closeTimeout: CLOSE_TIMEOUT_MS,
    ...(tls ?? (await makeSelfSignedCertificate(inboundEmail.domain))),
    onConnect: answering((session) => admit(session)),
    // Also of those that were never admitted.
    onClose: (session) => void admitted.delete(session),
    onMailFrom: (_address, session, done) => {
      recipients.delete(session);
      done();
    },
    onRcptTo: (address, session, done) =>
      answering((each) => addRecipient(address.address, each))(session, done),
    onData: (stream, session, done) => answering((each) => take(stream, each))(session, done),
  });
  server.on('error', (error) => context.logger.warn({ err: error }, 'The mail receiver had a problem'));
  server.server.on('connection', (socket) => {
    const timer = setTimeout(() => socket.destroy(), longestConnectionMs);
    socket.once('close', () => clearTimeout(timer));
  });
  await listenOrExplain(server, host, port);
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };

  /** What goes wrong is told in SMTP: for good, or for now. */
  function answering(act: (session: SMTPServerSession) => Promise<void>) {
    return (session: SMTPServerSession, done: (error?: Error | null) => void): void => {
      act(session).then(
        () => done(),
        (error: unknown) => {
          const code = codeOf(error);
          if (code === 451) context.logger.warn({ err: error }, 'A mail could not be received');
          done(Object.assign(new Error(messageOf(error)), { responseCode: code }));
        },
      );
    };
  }

  async function admit(session: SMTPServerSession): Promise<void> {
    const address = clientIp({ ip: session.remoteAddress });
    const places = [...admitted.values()].filter((each) => each === address).length;
    if (places >= MOST_CLIENTS_PER_ADDRESS)
      throw new SmtpRefusal(421, 'Too many connections from your address, try again in a moment');
    admitted.set(session, address);
    await context.rateLimits.inboundEmailPerIp.consume(address, 'Too much mail.');
  }

  async function addRecipient(address: string, session: SMTPServerSession): Promise<void> {
    const unknownSoFar = unknown.get(session) ?? 0;
    if (unknownSoFar >= MOST_UNKNOWN) throw new SmtpRefusal(421, 'Too many unknown recipients');
    const owner = await findRecipient(context, address);
    if (!owner) {
      unknown.set(session, unknownSoFar + 1);
      throw new SmtpRefusal(550, 'No such mailbox here');
    }
    const known = recipients.get(session) ?? new Map<string, string>();
    if (!known.has(owner.id)) {
      if (known.size >= MOST_RECIPIENTS) throw new SmtpRefusal(452, 'Too many recipients');
      await context.rateLimits.inboundEmailPerUser.consume(owner.id, 'Too much mail.');
    }
    recipients.set(session, known.set(owner.id, address));
  }

  /** An address may have been reset since it was named. */
  async function ownersStillThere(session: SMTPServerSession): Promise<string[]> {
    const addresses = [...(recipients.get(session)?.values() ?? [])];
    const owners = await Promise.all(addresses.map((address) => findRecipient(context, address)));
    const ids = owners.flatMap((owner) => owner?.id ?? []);
    if (ids.length === 0) throw new SmtpRefusal(550, 'This mailbox no longer exists here');
    return ids;
  }

  async function take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const ownerIds = await ownersStillThere(session);
    const { mailFrom } = session.envelope;
    const envelopeSender = mailFrom ? mailFrom.address : '';
    const spfDomain = await passedSpf(context, envelopeSender, session);
    const body = new PassThrough();
    // Whoever reads it hears of an error. Once nobody does, an error without a listener would crash the process.
    body.on('error', () => undefined);
    stream.pipe(body);
    // A connection that breaks must not look like a mail that has ended.
    stream.once('close', () => stream.readableEnded || body.destroy(new Error('The connection broke')));
    if (stream.destroyed) throw new Error('The connection broke');
    try {
      await receiveEmail(context, ownerIds, { body, envelopeSender, spfDomain });
    } catch (error) {
      // The sender hears of it only once all has been read.
      stream.unpipe(body);
      stream.resume();
      throw error;
    }
  }
}

/** The domain that says itself that this machine sends its mail (SPF); empty for any other answer. */
async function passedSpf(
  { dns }: Pick<Context, 'dns'>,
  sender: string,
  { remoteAddress, hostNameAppearsAs }: SMTPServerSession,
): Promise<string> {
  const address = plainAddress(sender);
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

class SmtpRefusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

function codeOf(error: unknown): number {
  if (error instanceof SmtpRefusal) return error.code;
  if (!(error instanceof AppError)) return 451;
  return { 400: 554, 413: 552, 429: 450 }[error.status] ?? 451;
}

function messageOf(error: unknown): string {
  const isOurs = error instanceof SmtpRefusal || error instanceof AppError;
  return isOurs ? error.message : 'Please try again later';
}

async function listenOrExplain(server: SMTPServer, host: string, port: number): Promise<void> {
  try {
    const listening = once(server.server, 'listening');
    server.listen(port, host);
    await listening;
  } catch (error) {
    throw new StartupError(
      `No mail can be received at port ${port} of ${host}: ${(error as Error).message}. Set INBOUND_SMTP_PORT and INBOUND_SMTP_HOST to another.`,
    );
  }
}
