import type { EntityEvent } from '#shared/api/event';
import type { TestClient } from './test-client.ts';

export type ReceivedEvent = { event: string; data: unknown };

export type EventStream = {
  headers: Headers;
  /** Waits for the next event; null when the server has closed the stream. */
  next(): Promise<ReceivedEvent | null>;
  nextChange(): Promise<EntityEvent>;
  stop(): Promise<void>;
};

/** @param origin the server, where several run. @throws for a response other than a stream */
export async function openEventStream(client: TestClient, origin: string): Promise<EventStream> {
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
