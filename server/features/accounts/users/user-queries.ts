import { and, eq, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Config } from '../../../platform/config/config.ts';
import type { AppContext } from '../../../platform/context.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { UnauthorizedError } from '../../../platform/errors.ts';
import { users } from '../../../platform/db/schema/accounts/users.ts';

export const EMAIL_TAKEN = 'An account with this email address already exists';

export type UserRow = typeof users.$inferSelect;
export type NewUser = Pick<UserRow, 'email' | 'username' | 'firstName' | 'lastName' | 'passwordHash'> &
  Partial<Pick<UserRow, 'emailVerifiedAt' | 'isAdmin' | 'isInvited' | 'verifyEmailBy'>>;

export async function findUser(db: Db | Tx, id: string): Promise<UserRow | null> {
  const [row] = await db.select().from(users).where(eq(users.id, id));
  return row ?? null;
}

/** Case-insensitive. */
export async function findUserByEmail(db: Db | Tx, email: string): Promise<UserRow | null> {
  const [row] = await db
    .select()
    .from(users)
    .where(eq(sql`lower(${users.email})`, sql`lower(${email})`));
  return row ?? null;
}

/** Case-insensitive. */
export async function isUsernameTaken(db: Db | Tx, username: string): Promise<boolean> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(eq(sql`lower(${users.username})`, sql`lower(${username})`));
  return rows.length > 0;
}

export async function createUser(db: Db | Tx, user: NewUser): Promise<UserRow> {
  const [row] = await db
    .insert(users)
    .values({ id: uuidv7(), ...user })
    .returning();
  if (!row) throw new Error('The new user was not returned');
  return row;
}

export async function updateUser(
  db: Db | Tx,
  id: string,
  changes: Partial<
    Pick<
      UserRow,
      | 'username'
      | 'firstName'
      | 'lastName'
      | 'email'
      | 'passwordHash'
      | 'emailVerifiedAt'
      | 'verifyEmailBy'
      | 'deletionWarnedAt'
      | 'caricatureConsentAt'
      | 'isAdmin'
      | 'disabledAt'
      | 'deletionDueAt'
      | 'storageLimitBytes'
    >
  >,
): Promise<UserRow> {
  const isNewPassword = changes.passwordHash !== undefined;
  const [row] = await db
    .update(users)
    .set({ ...changes, ...(isNewPassword && { boundPasswordHash: null }) })
    .where(eq(users.id, id))
    .returning();
  if (!row) throw new Error('The user does not exist');
  return row;
}

/** Null for a token that was never issued or has been replaced. */
export async function findUserByInboundToken(db: Db, token: string): Promise<UserRow | null> {
  const [row] = await db.select().from(users).where(eq(users.inboundToken, token));
  return row ?? null;
}

export async function replaceInboundToken(db: Db | Tx, id: string): Promise<UserRow> {
  const [row] = await db
    .update(users)
    .set({ inboundToken: sql`default` })
    .where(eq(users.id, id))
    .returning();
  if (!row) throw new Error('The user does not exist');
  return row;
}

export async function updateTimeZone(db: Db | Tx, id: string, timeZone: string): Promise<void> {
  await db.update(users).set({ timeZone }).where(eq(users.id, id));
}

/** Concurrent requests of a page write it once. Skips a row that a transaction has locked, instead of waiting for it. */
export async function updateLastSeen(
  db: Db,
  id: string,
  { now, before }: { now: Date; before: Date },
): Promise<void> {
  const due = db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, id), or(isNull(users.lastSeenAt), lte(users.lastSeenAt, before))))
    .for('no key update', { skipLocked: true });
  await db.update(users).set({ lastSeenAt: now }).where(inArray(users.id, due));
}

/** Serializes the transactions of one user that call it. Reads and foreign keys are not blocked. */
export async function lockUser(tx: Tx, id: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for('no key update');
}

/** As `lockUser`, with the row as it is then. */
export async function lockUserRow(tx: Tx, id: string): Promise<UserRow> {
  const row = await lockUserIfExists(tx, id);
  if (!row) throw new Error('The user does not exist');
  return row;
}

/** Null for an account that was deleted. */
export async function lockUserIfExists(tx: Tx, id: string): Promise<UserRow | null> {
  const [row] = await tx.select().from(users).where(eq(users.id, id)).for('no key update');
  return row ?? null;
}

/** For a change that a reset of the password must not miss. @throws UnauthorizedError if one came first */
export async function lockSignedInUser(
  tx: Tx,
  checked: Pick<UserRow, 'id' | 'passwordHash' | 'boundPasswordHash'>,
): Promise<UserRow> {
  const user = await lockUserRow(tx, checked.id);
  if (toPasswordKey(user) !== toPasswordKey(checked)) throw new UnauthorizedError();
  return user;
}

/** Null if another request has changed the password since it was checked. */
export async function replacePasswordHash(
  tx: Tx,
  checked: Pick<UserRow, 'id' | 'passwordHash' | 'boundPasswordHash'>,
  passwordHash: string,
): Promise<UserRow | null> {
  const [row] = await tx
    .update(users)
    .set({ passwordHash, boundPasswordHash: null })
    .where(and(eq(users.id, checked.id), eq(passwordKey, toPasswordKey(checked))))
    .returning();
  return row ?? null;
}

/** Of the same password: its sessions stay. Does nothing if another request came first. */
export async function replaceHashForm(
  db: Db,
  { id, passwordHash: checked }: Pick<UserRow, 'id' | 'passwordHash'>,
  passwordHash: string,
): Promise<void> {
  await db
    .update(users)
    .set({ passwordHash, boundPasswordHash: passwordKey })
    .where(and(eq(users.id, id), eq(users.passwordHash, checked)));
}

/** Changes with the password, but not when the same password is hashed again. */
export function toPasswordKey({
  passwordHash,
  boundPasswordHash,
}: Pick<UserRow, 'passwordHash' | 'boundPasswordHash'>): string {
  return boundPasswordHash ?? passwordHash;
}

/** In queries, the same as `toPasswordKey`. */
const passwordKey = sql<string>`coalesce(${users.boundPasswordHash}, ${users.passwordHash})`;

/** The time zone last sent by the browser, else UTC. */
export function userTimeZone(user: Pick<UserRow, 'timeZone'>): string {
  return user.timeZone ?? 'UTC';
}

export function getDisplayName({ firstName, username }: Pick<UserRow, 'firstName' | 'username'>): string {
  return firstName ?? username;
}

/** In queries, the same as `isActive`. */
export const isActiveUser = and(isNull(users.disabledAt), isNull(users.deletionDueAt));

/** Neither disabled nor asleep: only then photos and emails come in and go out. */
export function isActive({
  disabledAt,
  deletionDueAt,
}: Pick<UserRow, 'disabledAt' | 'deletionDueAt'>): boolean {
  return disabledAt === null && deletionDueAt === null;
}

/** Anyone can register an address. Until it is verified, strangers get less, unless an administrator invited them. */
export function isLimitedUntilVerified(
  { email }: Pick<Config, 'email'>,
  { emailVerifiedAt, isAdmin, isInvited }: Pick<UserRow, 'emailVerifiedAt' | 'isAdmin' | 'isInvited'>,
): boolean {
  return email.transport.kind === 'smtp' && !emailVerifiedAt && !isAdmin && !isInvited;
}

/** Always true while emails are only written to the dev-outbox, where every address is the developer's. */
export function isEmailVerified(
  { mailer }: { mailer: Pick<AppContext['mailer'], 'isEmbedded'> },
  { emailVerifiedAt }: Pick<UserRow, 'emailVerifiedAt'>,
): boolean {
  return mailer.isEmbedded || emailVerifiedAt !== null;
}

/** False if it was not asleep. */
export async function clearDeletion(tx: Tx, id: string): Promise<boolean> {
  const cleared = await tx
    .update(users)
    .set({ deletionDueAt: null, deletionWarnedAt: null })
    .where(and(eq(users.id, id), isNotNull(users.deletionDueAt)))
    .returning({ id: users.id });
  return cleared.length > 0;
}
