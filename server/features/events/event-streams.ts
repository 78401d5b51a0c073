import type { ServerResponse } from 'node:http';
import type { AccountChange } from '#shared/account-event';

/** More windows than a family has open; then the oldest makes room. */
export const MOST_STREAMS_OF_ACCOUNT = 30;
/** Proxies close what is silent for a minute. */
const BEAT_INTERVAL_MS = 25_000;

/** Whose stream it is, and by which session. */
export type Follower = { ownerId: string; sid: string };
type Stream = Follower & { response: ServerResponse; hasMissed: boolean };

/** The open streams of events of this process. */
export type EventStreams = {
  add(response: ServerResponse, follower: Follower): void;
  tell(ownerId: string, change: AccountChange): void;
  /** Lets everyone know that changes may have been missed. */
  refreshAll(): void;
  /** Ends those whose session is over: an account's, or all. */
  endOver(isOver: (sid: string) => Promise<boolean>, ownerId?: string): Promise<void>;
  endAll(): void;
};

export function createEventStreams(): EventStreams {
  const streams = new Set<Stream>();
  const beat = setInterval(() => streams.forEach(sendBeat), BEAT_INTERVAL_MS).unref();
  /** Those that still hear something: an account's, or all. One that was ended may wait long for its reader. */
  const open = (ownerId?: string) =>
    [...streams].filter(
      (stream) => !stream.response.writableEnded && (ownerId === undefined || stream.ownerId === ownerId),
    );

  return {
    add(response, follower) {
      // Its reader may have gone before it was known who that is.
      if (response.destroyed) return;
      const stream: Stream = { ...follower, response, hasMissed: false };
      const others = open(follower.ownerId);
      if (others.length >= MOST_STREAMS_OF_ACCOUNT) others[0]?.response.end();
      streams.add(stream);
      response.once('close', () => streams.delete(stream));
      response.on('drain', () => catchUp(stream));
      response.write('retry: 5000\n\n');
    },
    tell(ownerId, change) {
      for (const stream of open(ownerId)) send(stream, 'change', change);
    },
    refreshAll() {
      for (const stream of open()) send(stream, 'refresh');
    },
    async endOver(isOver, ownerId) {
      const sids = new Set(open(ownerId).map(({ sid }) => sid));
      for (const sid of sids) {
        if (!(await isOver(sid))) continue;
        for (const stream of open(ownerId).filter((each) => each.sid === sid)) {
          send(stream, 'end');
          stream.response.end();
        }
      }
    },
    endAll() {
      clearInterval(beat);
      for (const { response } of open()) response.end();
    },
  };
}

/** A reader that takes nothing must not make us keep what it misses: it hears later that it has missed something. */
function send(stream: Stream, event: string, data: AccountChange | object = {}): void {
  if (stream.response.writableNeedDrain) stream.hasMissed = true;
  else stream.response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

function catchUp(stream: Stream): void {
  if (!stream.hasMissed || stream.response.writableEnded) return;
  stream.hasMissed = false;
  send(stream, 'refresh');
}

/** One that has not even taken the last beat, or its end, is gone, or as good as that. */
function sendBeat(stream: Stream): void {
  const { response } = stream;
  if (response.writableNeedDrain || response.writableEnded) response.destroy();
  else send(stream, 'beat');
}
