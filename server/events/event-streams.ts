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
  const of = (ownerId: string) => [...streams].filter((stream) => stream.ownerId === ownerId);

  return {
    add(response, follower) {
      const stream: Stream = { ...follower, response, hasMissed: false };
      const others = of(follower.ownerId);
      if (others.length >= MOST_STREAMS_OF_ACCOUNT) others[0]?.response.end();
      streams.add(stream);
      response.once('close', () => streams.delete(stream));
      response.on('drain', () => catchUp(stream));
      response.write('retry: 5000\n\n');
    },
    tell(ownerId, change) {
      for (const stream of of(ownerId)) send(stream, 'change', change);
    },
    refreshAll() {
      for (const stream of streams) send(stream, 'refresh');
    },
    async endOver(isOver, ownerId) {
      for (const stream of ownerId === undefined ? [...streams] : of(ownerId)) {
        if (!(await isOver(stream.sid))) continue;
        send(stream, 'end');
        stream.response.end();
      }
    },
    endAll() {
      clearInterval(beat);
      for (const { response } of streams) response.end();
    },
  };
}

/** A reader that takes nothing must not make us keep what it misses: it hears later that it has missed something. */
function send(stream: Stream, event: string, data: AccountChange | object = {}): void {
  if (stream.response.writableNeedDrain) stream.hasMissed = true;
  else stream.response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

function catchUp(stream: Stream): void {
  if (!stream.hasMissed) return;
  stream.hasMissed = false;
  send(stream, 'refresh');
}

/** One that has not even taken the last beat is gone, or as good as that. */
function sendBeat(stream: Stream): void {
  if (stream.response.writableNeedDrain) stream.response.destroy();
  else send(stream, 'beat');
}
