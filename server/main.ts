import { compose } from './compose.ts';
import { readConfig } from './config.ts';
import { listen } from './http/listen.ts';
import { endOnSignals } from './signals.ts';
import { StartupError } from './startup-error.ts';

const SHUTDOWN_TIMEOUT_MS = 10_000;

try {
  await main();
} catch (error) {
  console.error(error instanceof StartupError ? error.message : error);
  process.exit(1);
}

async function main(): Promise<void> {
  const config = readConfig();
  const endRequested = endOnSignals();
  // A start that hangs, or an end that does, must not outlive that request by much.
  void endRequested.then(() => setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS * 1.5).unref());
  const composition = await compose(config, { report: (line) => console.log(line) });
  const server = await listen(composition.app, config.http).catch(async (error: unknown) => {
    await composition.close(0);
    throw error;
  });
  const address = config.http.publicUrl ?? `http://${urlHost(config.http.host)}:${server.port}`;
  await composition.announce(address);
  console.log(`Mems Are Forever is at ${address}`);

  const signal = await endRequested;
  console.log(`Stopping (${signal}): finishing what is running.`);
  const endsAt = Date.now() + SHUTDOWN_TIMEOUT_MS;
  composition.drain();
  await server.close(SHUTDOWN_TIMEOUT_MS);
  await composition.close(Math.max(0, endsAt - Date.now()));
  process.exit(0);
}

function urlHost(host: string): string {
  if (host === '127.0.0.1' || host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
