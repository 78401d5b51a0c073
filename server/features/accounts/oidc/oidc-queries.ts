import { createHash } from 'node:crypto';
import { and, eq, gt, isNotNull, isNull, lt } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { oidcIdentities, oidcSignIns } from '../../../platform/db/schema/accounts/oidc.ts';
import { users } from '../../../platform/db/schema/accounts/users.ts';
import type { OidcIdentity } from '../../../platform/oidc/oidc-client.ts';
import type { UserRow } from '../users/user-queries.ts';

export type OidcIdentityRow = typeof oidcIdentities.$inferSelect;

/** Deletes expired ones, so that the table stays small. */
export async function insertSignIn(
  db: Db,
  token: string,
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<void> {
  await db.delete(oidcSignIns).where(lt(oidcSignIns.expiresAt, now));
  await db.insert(oidcSignIns).values({ tokenHash: hashToken(token), expiresAt });
}

/** One of two concurrent callers gets it. */
export async function claimSignIn(db: Db, token: string, now: Date): Promise<boolean> {
  const claimed = await db
    .update(oidcSignIns)
    .set({ usedAt: now })
    .where(and(isOpen(token, now), isNull(oidcSignIns.usedAt)))
    .returning({ usedAt: oidcSignIns.usedAt });
  return claimed.length > 0;
}

export async function storePendingIdentity(
  db: Db,
  token: string,
  identity: OidcIdentity,
  expiresAt: Date,
): Promise<void> {
  await db
    .update(oidcSignIns)
    .set({ ...identity, expiresAt })
    .where(eq(oidcSignIns.tokenHash, hashToken(token)));
}

export async function findPendingIdentity(db: Db, token: string, now: Date): Promise<OidcIdentity | null> {
  const [row] = await db.select().from(oidcSignIns).where(isPending(token, now));
  return row ? toIdentity(row) : null;
}

/** One of two concurrent callers gets it. */
export async function consumePendingIdentity(tx: Tx, token: string, now: Date): Promise<OidcIdentity | null> {
  const [row] = await tx.delete(oidcSignIns).where(isPending(token, now)).returning();
  return row ? toIdentity(row) : null;
}

/** With the account that it signs in. */
export async function findIdentity(
  db: Db | Tx,
  { issuer, subject }: Pick<OidcIdentity, 'issuer' | 'subject'>,
): Promise<{ identity: OidcIdentityRow; user: UserRow } | null> {
  const [row] = await db
    .select({ identity: oidcIdentities, user: users })
    .from(oidcIdentities)
    .innerJoin(users, eq(users.id, oidcIdentities.ownerId))
    .where(and(eq(oidcIdentities.issuer, issuer), eq(oidcIdentities.subject, subject)));
  return row ?? null;
}

/** Null if it is joined to an account, or the account to another identity of this issuer; also concurrently. */
export async function insertIdentity(
  tx: Tx,
  ownerId: string,
  identity: OidcIdentity,
  createdAt: Date,
): Promise<OidcIdentityRow | null> {
  const [row] = await tx
    .insert(oidcIdentities)
    .values({ id: uuidv7(), ownerId, ...identity, createdAt })
    .onConflictDoNothing()
    .returning();
  return row ?? null;
}

export function listIdentities(db: Db, ownerId: string): Promise<OidcIdentityRow[]> {
  return db
    .select()
    .from(oidcIdentities)
    .where(eq(oidcIdentities.ownerId, ownerId))
    .orderBy(oidcIdentities.createdAt, oidcIdentities.id);
}

export async function updateIdentityUse(
  db: Db,
  { id, label }: Pick<OidcIdentityRow, 'id' | 'label'>,
  lastUsedAt: Date,
): Promise<void> {
  await db.update(oidcIdentities).set({ label, lastUsedAt }).where(eq(oidcIdentities.id, id));
}

export async function deleteIdentity(tx: Tx, ownerId: string, id: string): Promise<boolean> {
  const deleted = await tx
    .delete(oidcIdentities)
    .where(and(eq(oidcIdentities.id, id), eq(oidcIdentities.ownerId, ownerId)))
    .returning({ id: oidcIdentities.id });
  return deleted.length > 0;
}

export async function deleteIdentities(tx: Tx, ownerId: string): Promise<void> {
  await tx.delete(oidcIdentities).where(eq(oidcIdentities.ownerId, ownerId));
}

function isOpen(token: string, now: Date) {
  return and(eq(oidcSignIns.tokenHash, hashToken(token)), gt(oidcSignIns.expiresAt, now));
}

function isPending(token: string, now: Date) {
  return and(isOpen(token, now), isNotNull(oidcSignIns.issuer), isNotNull(oidcSignIns.subject));
}

function toIdentity({ issuer, subject, label }: typeof oidcSignIns.$inferSelect): OidcIdentity {
  return { issuer: issuer ?? '', subject: subject ?? '', label };
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
