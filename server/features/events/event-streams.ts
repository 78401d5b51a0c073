import type { ServerResponse } from 'node:http';
import type { EntityEvent, StreamEnd } from '#shared/api/event';

/** When exceeded, the account's oldest stream is ended. */
export const MAX_STREAMS_PER_ACCOUNT = 30;
/** Proxies close connections that are idle for a minute. */
const HEARTBEAT_INTERVAL_MS = 25_000;

export type Subscriber = { ownerId: string; sid: string };
type Stream = Subscriber & { response: ServerResponse; missedEvents: boolean };

export type EventStreams = {
  add(response: ServerResponse, subscriber: Subscriber): void;
  send(ownerId: string, change: EntityEvent): void;
  refreshAll(): void;
  /**
   * Ends the streams of expired sessions, of one account or of all. `findEnd` returns null for other sessions. If it throws, the
   * sessions may have ended: all of these streams are.
   */
  endExpired(findEnd: (subscriber: Subscriber) => Promise<StreamEnd | null>, ownerId?: string): Promise<void>;
  endAll(): void;
};

export function createEventStreams(): EventStreams {
  const streams = new Set<Stream>();
  let isEnded = false;
  const heartbeat = setInterval(() => streams.forEach(sendHeartbeat), HEARTBEAT_INTERVAL_MS).unref();
  /** Ended streams stay in the set until a slow client has read everything. */
  const open = (ownerId?: string) =>
    [...streams].filter(
      (stream) => !stream.response.writableEnded && (ownerId === undefined || stream.ownerId === ownerId),
    );

  return {
    add(response, subscriber) {
      // The client may have disconnected during authentication.
      if (response.destroyed) return;
      if (isEnded) return void response.end();
      const stream: Stream = { ...subscriber, response, missedEvents: false };
      const others = open(subscriber.ownerId);
      if (others.length >= MAX_STREAMS_PER_ACCOUNT) others[0]?.response.end();
      streams.add(stream);
      response.once('close', () => streams.delete(stream));
      response.on('drain', () => catchUp(stream));
      response.write('retry: 5000\n\n');
    },
    send(ownerId, change) {
      for (const stream of open(ownerId)) writeEvent(stream, 'change', change);
    },
    refreshAll() {
      for (const stream of open()) writeEvent(stream, 'refresh');
    },
    async endExpired(findEnd, ownerId) {
      const sessions = new Map(open(ownerId).map((stream) => [stream.sid, stream]));
      for (const [sid, subscriber] of sessions) {
        const end = await findEnd(subscriber).catch((error: unknown) => {
          // Their pages connect again, which looks their sessions up.
          for (const { response } of open(ownerId)) response.end();
          throw error;
        });
        if (!end) continue;
        for (const stream of open(ownerId).filter((each) => each.sid === sid)) {
          writeEvent(stream, 'end', end);
          stream.response.end();
        }
      }
    },
    endAll() {
      isEnded = true;
      clearInterval(heartbeat);
      for (const { response } of open()) response.end();
    },
  };
}

/** Drops events for a slow client instead of buffering them; it gets a `refresh` after it has caught up. */
function writeEvent(stream: Stream, event: string, data: EntityEvent | object = {}): void {
  if (stream.response.writableNeedDrain) stream.missedEvents = true;
  else stream.response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

function catchUp(stream: Stream): void {
  if (!stream.missedEvents || stream.response.writableEnded) return;
  stream.missedEvents = false;
  writeEvent(stream, 'refresh');
}

/** Destroys streams whose client has read nothing since the last heartbeat. */
function sendHeartbeat(stream: Stream): void {
  const { response } = stream;
  if (response.writableNeedDrain || response.writableEnded) response.destroy();
  else writeEvent(stream, 'beat');
}
