import { createHash } from 'node:crypto';
import { and, eq, gt, gte, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { emailChanges } from '../../../platform/db/schema/accounts/email-changes.ts';
import { users } from '../../../platform/db/schema/accounts/users.ts';
import type { UserRow } from '../users/user-queries.ts';

type EmailChangeRow = typeof emailChanges.$inferSelect;

const isPending = and(isNull(emailChanges.changedAt), isNull(emailChanges.endedAt));

export async function insertEmailChange(
  tx: Tx,
  tokens: { confirm: string; undo: string },
  row: Pick<
    EmailChangeRow,
    'id' | 'ownerId' | 'oldEmail' | 'newEmail' | 'expiresAt' | 'undoUntil' | 'createdAt'
  >,
): Promise<void> {
  const hashes = { confirmTokenHash: hashToken(tokens.confirm), undoTokenHash: hashToken(tokens.undo) };
  await tx.insert(emailChanges).values({ ...row, ...hashes });
}

export async function findPendingEmailChange(
  db: Db | Tx,
  ownerId: string,
  now: Date,
): Promise<EmailChangeRow | null> {
  const [row] = await db
    .select()
    .from(emailChanges)
    .where(and(eq(emailChanges.ownerId, ownerId), isPending, gt(emailChanges.expiresAt, now)));
  return row ?? null;
}

export async function findEmailChangeOwner(db: Db, confirmToken: string, now: Date): Promise<UserRow | null> {
  const [row] = await db
    .select({ user: users })
    .from(emailChanges)
    .innerJoin(users, eq(users.id, emailChanges.ownerId))
    .where(isConfirmable(confirmToken, now));
  return row?.user ?? null;
}

/** Ends the link. `undoUntil` is for changes that can be undone. Null for a link that no longer works. */
export async function consumeEmailChange(
  tx: Tx,
  confirmToken: string,
  { now, undoUntil }: { now: Date; undoUntil: Date },
): Promise<EmailChangeRow | null> {
  const [row] = await tx
    .update(emailChanges)
    .set({
      changedAt: now,
      undoUntil: sql`case when ${emailChanges.undoUntil} is null then null else ${undoUntil.toISOString()}::timestamptz end`,
    })
    .where(isConfirmable(confirmToken, now))
    .returning();
  return row ?? null;
}

function isConfirmable(confirmToken: string, now: Date) {
  return and(
    eq(emailChanges.confirmTokenHash, hashToken(confirmToken)),
    isPending,
    gt(emailChanges.expiresAt, now),
  );
}

export async function endPendingEmailChanges(tx: Tx, ownerId: string, now: Date): Promise<boolean> {
  const rows = await tx
    .update(emailChanges)
    .set({ endedAt: now })
    .where(and(eq(emailChanges.ownerId, ownerId), isPending))
    .returning({ id: emailChanges.id });
  return rows.length > 0;
}

/** Null for a link that no longer works. */
export async function findUndoableEmailChange(
  db: Db | Tx,
  undoToken: string,
  now: Date,
): Promise<EmailChangeRow | null> {
  const [row] = await db
    .select()
    .from(emailChanges)
    .where(
      and(
        eq(emailChanges.undoTokenHash, hashToken(undoToken)),
        isNull(emailChanges.undoneAt),
        gt(emailChanges.undoUntil, now),
      ),
    );
  return row ?? null;
}

/** Also later ones: their links must not give the address back to a thief. */
export async function undoEmailChangesSince(
  tx: Tx,
  { ownerId, createdAt }: Pick<EmailChangeRow, 'ownerId' | 'createdAt'>,
  now: Date,
): Promise<void> {
  await tx
    .update(emailChanges)
    .set({ undoneAt: now, endedAt: now })
    .where(
      and(
        eq(emailChanges.ownerId, ownerId),
        gte(emailChanges.createdAt, createdAt),
        isNull(emailChanges.undoneAt),
      ),
    );
}

/** Whether the address may go back to another account. */
export async function isEmailReserved(
  db: Db | Tx,
  email: string,
  { exceptFor, now }: { exceptFor: string | null; now: Date },
): Promise<boolean> {
  const rows = await db
    .select({ id: emailChanges.id })
    .from(emailChanges)
    .where(
      and(
        eq(sql`lower(${emailChanges.oldEmail})`, sql`lower(${email})`),
        isNotNull(emailChanges.changedAt),
        isNull(emailChanges.undoneAt),
        gt(emailChanges.undoUntil, now),
        exceptFor === null ? undefined : ne(emailChanges.ownerId, exceptFor),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Requests that nothing can be done with. */
export async function deleteEmailChangesBefore(db: Db, before: Date): Promise<void> {
  await db
    .delete(emailChanges)
    .where(
      and(
        lt(emailChanges.expiresAt, before),
        or(isNull(emailChanges.undoUntil), lt(emailChanges.undoUntil, before)),
      ),
    );
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
