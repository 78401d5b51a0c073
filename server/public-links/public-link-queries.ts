import { randomBytes } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Tx } from '../db/database.ts';
import { publicLinks } from '../db/schema/public-links.ts';

const TOKEN_BYTES = 24;

/** The token of the page on which this contact sees this memory; made the first time. */
export async function claimContactLink(
  tx: Tx,
  link: { ownerId: string; memoryId: string; contactId: string; createdAt: Date },
): Promise<string> {
  await tx
    .insert(publicLinks)
    .values({ id: uuidv7(), token: randomBytes(TOKEN_BYTES).toString('base64url'), ...link })
    .onConflictDoNothing();
  const [row] = await tx
    .select({ token: publicLinks.token })
    .from(publicLinks)
    .where(
      and(
        eq(publicLinks.memoryId, link.memoryId),
        eq(publicLinks.contactId, link.contactId),
        isNull(publicLinks.revokedAt),
      ),
    );
  if (!row) throw new Error('The link was not returned');
  return row.token;
}
