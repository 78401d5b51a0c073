import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Tx } from '../../../platform/db/database.ts';
import { flipbookPdfs } from '../../../platform/db/schema/album/flipbook-pdfs.ts';
import { exportParts } from '../../../platform/db/schema/transfers/exports.ts';
import { imports } from '../../../platform/db/schema/transfers/imports.ts';
import { images } from '../../../platform/db/schema/album/images.ts';
import { inboundEmails } from '../../../platform/db/schema/transfers/inbound-emails.ts';
import { sessions } from '../../../platform/db/schema/accounts/sessions.ts';
import { uploads } from '../../../platform/db/schema/transfers/uploads.ts';
import { users } from '../../../platform/db/schema/accounts/users.ts';
import type { UserRow } from '../users/user-queries.ts';

/** In the documented lock order (docs/lock-order.md). Null if the user does not exist. */
export async function lockUserToDelete(tx: Tx, id: string): Promise<UserRow | null> {
  await tx.select({ id: uploads.id }).from(uploads).where(eq(uploads.ownerId, id)).for('update');
  await tx
    .select({ id: inboundEmails.id })
    .from(inboundEmails)
    .where(eq(inboundEmails.ownerId, id))
    .for('update');
  const [user] = await tx.select().from(users).where(eq(users.id, id)).for('update');
  return user ?? null;
}

/** What the object storage may hold for a user. */
export async function listStoredObjects(tx: Tx, ownerId: string) {
  return {
    images: await tx
      .select({ imageId: images.id, objectKey: images.objectKey })
      .from(images)
      .where(eq(images.ownerId, ownerId)),
    flipbookPdfs: await tx
      .select({ id: flipbookPdfs.id })
      .from(flipbookPdfs)
      .where(eq(flipbookPdfs.ownerId, ownerId)),
    exportParts: await tx
      .select({ id: exportParts.id })
      .from(exportParts)
      .where(eq(exportParts.ownerId, ownerId)),
    imports: await tx
      .select({ id: imports.id, byteSize: imports.byteSize, dataId: imports.dataId })
      .from(imports)
      .where(eq(imports.ownerId, ownerId)),
    uploads: await tx
      .select({ id: uploads.id })
      .from(uploads)
      .where(and(eq(uploads.ownerId, ownerId), isNull(uploads.purgedAt))),
    emails: await tx
      .select({ id: inboundEmails.id })
      .from(inboundEmails)
      .where(and(eq(inboundEmails.ownerId, ownerId), eq(inboundEmails.isStored, true))),
  };
}

/** With everything that belongs to the user. */
export async function deleteUserRow(tx: Tx, id: string): Promise<void> {
  // A session that waits for the second factor has no owner yet.
  await tx.delete(sessions).where(eq(sql`${sessions.sess} -> 'pendingSignIn' ->> 'userId'`, id));
  await tx.delete(users).where(eq(users.id, id));
}
