import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import * as z from 'zod';
import { EntityEvent, type StreamEnd } from '#shared/api/event';
import type { Db } from '../../platform/db/database.ts';
import type { Listener } from '../../platform/db/listener.ts';
import { findSession } from '../accounts/sessions/session-queries.ts';
import { findUser } from '../accounts/users/user-queries.ts';
import { createEventStreams, type Subscriber } from './event-streams.ts';

const CHANNEL = 'account_events';

const Notification = z.object({
  ownerId: z.uuid(),
  kind: z.enum(['session', ...EntityEvent.shape.kind.options]),
  ids: z.nullable(z.array(z.uuid())),
});

/** Sends the changes in an account to its open pages, including changes made by other processes. */
export type EventHub = {
  /** Streams events until the client disconnects, its session ends or `endStreams` is called. */
  subscribe(response: ServerResponse, subscriber: Subscriber): Promise<void>;
  /** A draining process would otherwise wait for open streams. */
  endStreams(): void;
};

export async function openEventHub({
  listener,
  db,
  logger,
}: {
  listener: Listener;
  db: Db;
  logger: Logger;
}): Promise<EventHub> {
  const streams = createEventStreams();
  await listener.listen(CHANNEL, {
    onNotice: handleNotification,
    onGap: () => {
      streams.refreshAll();
      void endExpired();
    },
  });

  return {
    async subscribe(response, subscriber) {
      streams.add(response, subscriber);
      // Race: the session may have ended between its check and `add`.
      await endExpired(subscriber.ownerId);
    },
    endStreams: () => streams.endAll(),
  };

  function handleNotification(payload: string): void {
    const notification = parseNotification(payload);
    if (!notification) return logger.warn('Received a notification of an unknown kind');
    const { ownerId, kind, ids } = notification;
    if (kind === 'session') void endExpired(ownerId);
    else streams.send(ownerId, { kind, ids });
  }

  async function findEnd({ sid, ownerId }: Subscriber): Promise<StreamEnd | null> {
    if (await findSession(db, sid)) return null;
    const user = await findUser(db, ownerId);
    if (user?.disabledAt) return { reason: 'disabled' };
    return user?.deletionDueAt ? { reason: 'asleep' } : {};
  }

  async function endExpired(ownerId?: string): Promise<void> {
    await streams
      .endExpired(findEnd, ownerId)
      .catch((error: unknown) => logger.warn({ err: error }, 'Sessions could not be looked up'));
  }
}

/** Null for notifications of a newer version. */
function parseNotification(payload: string): z.infer<typeof Notification> | null {
  try {
    return Notification.parse(JSON.parse(payload));
  } catch {
    return null;
  }
}
