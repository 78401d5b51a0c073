import type { EntityEvent } from '#shared/event';
import type { TestClient } from './test-client.ts';

export type ReceivedEvent = { event: string; data: unknown };

/** A page that follows its account's events. */
export type EventReader = {
  headers: Headers;
  /** The next event, once it is there; null when the stream has ended as it should. */
  next(): Promise<ReceivedEvent | null>;
  /** The next event, which is a change. */
  nextChange(): Promise<EntityEvent>;
  stop(): Promise<void>;
};

/** @param origin which of several servers to ask; @throws when it does not answer with a stream */
export async function followEvents(client: TestClient, origin: string): Promise<EventReader> {
  const response = await fetch(new URL('/api/events', origin), { headers: { Cookie: client.cookie() } });
  if (response.status !== 200 || !response.body) throw new Error(`No events: ${response.status}`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const readEvent = async (): Promise<ReceivedEvent | null> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end < 0) {
        const { done, value } = await reader.read();
        if (done) return null;
        text += value;
        continue;
      }
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      if (event !== undefined && event !== 'beat') return { event, data: JSON.parse(data ?? '') };
    }
  };
  return {
    headers: response.headers,
    next: readEvent,
    async nextChange() {
      const received = await readEvent();
      if (received?.event !== 'change') throw new Error(`Not a change: ${JSON.stringify(received)}`);
      return received.data as EntityEvent;
    },
    stop: () => reader.cancel(),
  };
}
