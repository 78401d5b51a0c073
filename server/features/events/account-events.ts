import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import * as z from 'zod';
import { AccountChange } from '#shared/account-event';
import type { Db } from '../../platform/db/database.ts';
import { openListener } from '../../platform/db/listener.ts';
import { findSession } from '../sessions/session-queries.ts';
import { createEventStreams, type Follower } from './event-streams.ts';

/** Named by the migration, whose triggers speak on it. */
const CHANNEL = 'account_events';

/** What the triggers say. */
const Notice = z.object({
  ownerId: z.uuid(),
  kind: z.enum(['session', ...AccountChange.shape.kind.options]),
  ids: z.nullable(z.array(z.uuid())),
});

/** Tells the open pages of an account what changes in it, whichever process changed it. */
export type AccountEvents = {
  /** Writes events into this answer until its reader goes, its session ends or the process does. */
  follow(response: ServerResponse, follower: Follower): Promise<void>;
  /** Ends all streams: a process that is about to end would otherwise wait for them. */
  endStreams(): void;
  close(): Promise<void>;
};

export async function openAccountEvents({
  databaseUrl,
  db,
  logger,
}: {
  databaseUrl: string;
  db: Db;
  logger: Logger;
}): Promise<AccountEvents> {
  const streams = createEventStreams();
  const listener = await openListener({
    url: databaseUrl,
    channel: CHANNEL,
    onNotice: hear,
    onGap: () => {
      streams.refreshAll();
      void endOver();
    },
    onError: (error) => logger.warn({ err: error }, 'The connection that hears of changes broke'),
  });

  return {
    async follow(response, follower) {
      streams.add(response, follower);
      // It may have ended after it was looked at and before its stream was there to be told.
      await endOver(follower.ownerId);
    },
    endStreams: () => streams.endAll(),
    close() {
      streams.endAll();
      return listener.close();
    },
  };

  function hear(payload: string): void {
    const notice = parseNotice(payload);
    if (!notice) return logger.warn('Heard a notice of another kind');
    const { ownerId, kind, ids } = notice;
    if (kind === 'session') void endOver(ownerId);
    else streams.tell(ownerId, { kind, ids });
  }

  async function endOver(ownerId?: string): Promise<void> {
    const isOver = async (sid: string) => (await findSession(db, sid)) === null;
    await streams
      .endOver(isOver, ownerId)
      .catch((error: unknown) => logger.warn({ err: error }, 'Sessions could not be looked up'));
  }
}

/** Null for what a newer version, or anyone else, may say on the channel. */
function parseNotice(payload: string): z.infer<typeof Notice> | null {
  try {
    return Notice.parse(JSON.parse(payload));
  } catch {
    return null;
  }
}
