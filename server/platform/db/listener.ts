import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

const MIN_DELAY_MS = 250;
const MAX_DELAY_MS = 2_000;
/** Detects a connection that was lost without an error. */
const CHECK_INTERVAL_MS = 30_000;

type Subscription = {
  onNotice: (payload: string) => void;
  /** Reconnected. Notifications in between are lost. */
  onGap?: () => void;
};

export type Listener = {
  /** LISTENs on a channel, also after a reconnection. */
  listen(channel: string, subscription: Subscription): Promise<void>;
  close(): Promise<void>;
};

type Connection = {
  listen(channel: string): Promise<void>;
  /** Resolves with the error that ended the connection. */
  lost: Promise<unknown>;
  end(): Promise<void>;
};

type OnNotification = (channel: string, payload: string) => void;

/** One connection for all channels. Outside the pool, since LISTEN is bound to one session. Reconnects until closed. */
export async function openListener({
  url,
  onError,
}: {
  url: string;
  onError: (error: unknown) => void;
}): Promise<Listener> {
  const subscriptions = new Map<string, Subscription>();
  const closing = new AbortController();
  let connection = await connect(url, dispatch);
  const ended = stayConnected();
  return {
    async listen(channel, subscription) {
      subscriptions.set(channel, subscription);
      await connection.listen(channel);
    },
    async close() {
      closing.abort();
      await connection.end();
      await ended;
    },
  };

  function dispatch(channel: string, payload: string): void {
    subscriptions.get(channel)?.onNotice(payload);
  }

  async function stayConnected(): Promise<void> {
    for (;;) {
      const error = await connection.lost;
      if (closing.signal.aborted) return;
      onError(error);
      if (!(await reconnect())) return;
      for (const { onGap } of subscriptions.values()) onGap?.();
    }
  }

  /** False if the listener is closed. */
  async function reconnect(): Promise<boolean> {
    for (let ms = MIN_DELAY_MS; ; ms = Math.min(2 * ms, MAX_DELAY_MS)) {
      await pause(ms, undefined, { signal: closing.signal }).catch(() => undefined);
      if (closing.signal.aborted) return false;
      const made = await connect(url, dispatch, [...subscriptions.keys()]).catch(() => null);
      if (!made) continue;
      connection = made;
      if (!closing.signal.aborted) return true;
      await made.end();
      return false;
    }
  }
}

async function connect(
  url: string,
  onNotification: OnNotification,
  channels: string[] = [],
): Promise<Connection> {
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
  client.on('notification', ({ channel, payload }) => onNotification(channel, payload ?? ''));
  const check = setInterval(() => void client.query('select 1').catch(lose), CHECK_INTERVAL_MS).unref();
  const end = () => client.end().catch(() => undefined);
  void lost.then(() => {
    clearInterval(check);
    client.removeAllListeners('notification');
    return end();
  });
  const listen = async (channel: string) =>
    void (await client.query(`listen ${client.escapeIdentifier(channel)}`));
  try {
    await client.connect();
    for (const channel of channels) await listen(channel);
  } catch (error) {
    lose(error);
    throw error;
  }
  return { listen, lost, end };
}
