import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import pg from 'pg';
import { getDatabaseConfig } from '../apps/database.ts';

/** With the dev outbox, addresses are verified and these emails are not sent. */
export async function createAccountToken(
  page: Page,
  purpose: 'verify-email' | 'start-again',
): Promise<string> {
  const { id: ownerId } = (await (await page.request.get('/api/user')).json()) as { id: string };
  const token = randomBytes(32).toString('base64url');
  const hash = createHash('sha256').update(token).digest('base64url');
  const database = new pg.Client(await getDatabaseConfig());
  await database.connect();
  try {
    await database.query(
      `insert into user_tokens (id, owner_id, purpose, token_hash, expires_at)
       values ($1, $2, $3, $4, now() + interval '1 day')`,
      [randomUUID(), ownerId, purpose, hash],
    );
  } finally {
    await database.end();
  }
  return token;
}
