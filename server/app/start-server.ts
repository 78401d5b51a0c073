import { listen } from '../platform/http/listen.ts';
import { startSmtpReceiver } from '../features/inbound-email/smtp-receiver.ts';
import { SHUTDOWN_TIMEOUT_MS, type Program, type Work } from './run-process.ts';

/** In which a client that keeps its connection hears with its next answer that it should leave. */
const IDLE_CONNECTION_GRACE_MS = 1_000;

/** Listens until the process is asked to end. */
export const serve: Work = (program) => serveAfter(program, () => Promise.resolve([]));

/** The same, but first prepares what is to be seen, and prints what that answers below the address. */
export async function serveAfter(
  { config, composition, endRequested }: Program,
  prepare: () => Promise<string[]>,
): Promise<number> {
  const server = await listen(composition.app, config.http, composition.context.logger);
  const receiver = await startSmtpReceiver(composition.context);
  const address = config.http.publicUrl ?? `http://${urlHost(config.http.host)}:${server.port}`;
  await composition.announce(address);
  const lines = await Promise.race([prepare(), endRequested.then(() => null)]);
  if (lines) console.log([`Mems Are Forever is at ${address}`, ...lines].join('\n'));

  const signal = await endRequested;
  console.log(`Stopping (${signal}): finishing what is running.`);
  const endsAt = Date.now() + SHUTDOWN_TIMEOUT_MS;
  composition.drain();
  await Promise.all([
    server.close({ timeoutMs: SHUTDOWN_TIMEOUT_MS, idleMs: IDLE_CONNECTION_GRACE_MS }),
    receiver?.close(),
  ]);
  return Math.max(0, endsAt - Date.now());
}

function urlHost(host: string): string {
  if (host === '127.0.0.1' || host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
