import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

const MIN_DELAY_MS = 250;
const MAX_DELAY_MS = 2_000;
/** Detects a connection that was lost without an error. */
const CHECK_INTERVAL_MS = 30_000;

type ListenerOptions = {
  url: string;
  channel: string;
  onNotice: (payload: string) => void;
  /** Reconnected. Notifications in between are lost. */
  onGap: () => void;
  onError: (error: unknown) => void;
};

type Connection = {
  /** Resolves with the error that ended the connection. */
  lost: Promise<unknown>;
  end(): Promise<void>;
};

/** LISTENs on a channel. Outside the pool, since LISTEN is bound to one session. Reconnects until closed. */
export async function openListener(options: ListenerOptions): Promise<{ close(): Promise<void> }> {
  const closing = new AbortController();
  let connection = await connect(options);
  const ended = stayConnected();
  return {
    async close() {
      closing.abort();
      await connection.end();
      await ended;
    },
  };

  async function stayConnected(): Promise<void> {
    for (;;) {
      const error = await connection.lost;
      if (closing.signal.aborted) return;
      options.onError(error);
      if (!(await reconnect())) return;
      options.onGap();
    }
  }

  /** False if the listener is closed. */
  async function reconnect(): Promise<boolean> {
    for (let ms = MIN_DELAY_MS; ; ms = Math.min(2 * ms, MAX_DELAY_MS)) {
      await pause(ms, undefined, { signal: closing.signal }).catch(() => undefined);
      if (closing.signal.aborted) return false;
      const made = await connect(options).catch(() => null);
      if (!made) continue;
      connection = made;
      if (!closing.signal.aborted) return true;
      await made.end();
      return false;
    }
  }
}

async function connect({ url, channel, onNotice }: ListenerOptions): Promise<Connection> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    query_timeout: 10_000,
    keepAlive: true,
    application_name: 'mems-are-forever events',
  });
  let lose!: (error: unknown) => void;
  const lost = new Promise<unknown>((resolve) => (lose = resolve));
  client.on('error', lose).once('end', () => lose(new Error('The connection was ended')));
  client.on('notification', ({ payload }) => onNotice(payload ?? ''));
  const check = setInterval(() => void client.query('select 1').catch(lose), CHECK_INTERVAL_MS).unref();
  const end = () => client.end().catch(() => undefined);
  void lost.then(() => {
    clearInterval(check);
    client.removeAllListeners('notification');
    return end();
  });
  try {
    await client.connect();
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
  } catch (error) {
    lose(error);
    throw error;
  }
  return { lost, end };
}
