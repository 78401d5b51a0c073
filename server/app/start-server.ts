import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { devOutboxUrl } from '../features/dev-outbox/dev-outbox-access.ts';
import { watchOutbox } from '../features/dev-outbox/watch-outbox.ts';
import { startSmtpReceiver } from '../features/inbound-email/receiving/smtp-receiver.ts';
import type { AppContext } from '../platform/context.ts';
import { DEV_OUTBOX_FOLDER } from '../platform/data-folder/data-folder.ts';
import { listen } from '../platform/http/listen.ts';
import { administratorInvitationUrl } from '../features/accounts/invitations/accept-invitation.ts';
import { describeAccess } from './describe-access.ts';
import { SHUTDOWN_TIMEOUT_MS, type EntryPoint } from './run-process.ts';
import { describeSecretLink } from './secret-link.ts';

/** Keep-alive connections may send one more request in this time. */
const IDLE_CONNECTION_GRACE_MS = 1_000;

type Options = {
  /** Runs after the start. Its lines are printed below the address. */
  prepare?: (context: AppContext) => Promise<string[]>;
  idleMs?: number;
  /** For tests. */
  wait?: (ms: number) => Promise<void>;
};

/** Listens until shutdown. */
export function startServer({
  prepare = () => Promise.resolve([]),
  idleMs = IDLE_CONNECTION_GRACE_MS,
  wait = pause,
}: Options = {}): EntryPoint {
  return async ({ config, composition, shutdown }) => {
    const server = await listen(composition, config.http, composition.context.logger);
    const isWorker = config.process.role === 'worker';
    const receiver = isWorker ? null : await startSmtpReceiver(composition.context);
    const ownAddress = `http://${urlHost(config.http.host)}:${server.port}`;
    const address = config.http.publicUrl ?? ownAddress;
    composition.announce(address);
    const lines = await Promise.race([prepare(composition.context), shutdown.then(() => null)]);
    // Then the address below is that of the load balancer.
    if (lines && config.process.role !== 'all')
      console.log(`This ${config.process.role} process listens on ${ownAddress}`);
    if (lines && !isWorker) {
      const access = await describeAccess(composition.context);
      const links = await describeLinks(composition.context, address);
      console.log([`Mems Are Forever is at ${address}`, ...access, ...links, ...lines].join('\n'));
    }
    const watcher = await remindOfOutbox(composition.context, address);

    const signal = await shutdown;
    console.log(`Stopping (${signal}): finishing what is running.`);
    const endsAt = Date.now() + SHUTDOWN_TIMEOUT_MS;
    composition.drain();
    if (lines && config.process.drainMs > 0) await wait(config.process.drainMs);
    composition.windDown();
    watcher?.close();
    const timeLeft = () => Math.max(0, endsAt - Date.now());
    await Promise.all([server.close({ timeoutMs: timeLeft(), idleMs }), receiver?.close()]);
    return timeLeft();
  };
}

/** On a terminal, where the link has scrolled away by the time that a message arrives. */
async function remindOfOutbox({ config, ...context }: AppContext, address: string) {
  const url = devOutboxUrl(context, address);
  if (url === null || !process.stdout.isTTY) return null;
  // Systems limit how many folders are watched. The reminder is a convenience.
  return watchOutbox(join(config.dataDir, DEV_OUTBOX_FOLDER), () =>
    console.log(`A new message is in the outbox: ${url}`),
  ).catch(() => null);
}

async function describeLinks(context: AppContext, address: string): Promise<string[]> {
  const { dataDir, access } = context.config;
  const output = { dataDir, isTerminal: process.stdout.isTTY };
  const administrator = await describeSecretLink(
    output,
    'administrator',
    await administratorInvitationUrl(context),
  );
  const outbox = await describeSecretLink(output, 'outbox', devOutboxUrl(context, address));
  const recipient = access.adminEmail ? ` (${access.adminEmail})` : '';
  return [
    ...(administrator ? [`There is no administrator yet. To become it${recipient}: ${administrator}`] : []),
    ...(outbox ? [`Email and texts it sends: ${outbox}`] : []),
  ];
}

function urlHost(host: string): string {
  if (host === '127.0.0.1' || host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
