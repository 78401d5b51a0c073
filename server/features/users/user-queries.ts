import { eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { Db, Tx } from '../../platform/db/database.ts';
import { users } from '../../platform/db/schema/users.ts';

export type UserRow = typeof users.$inferSelect;
export type NewUser = Pick<UserRow, 'email' | 'username' | 'firstName' | 'lastName' | 'passwordHash'>;

export async function findUser(db: Db | Tx, id: string): Promise<UserRow | null> {
  const [row] = await db.select().from(users).where(eq(users.id, id));
  return row ?? null;
}

/** Without regard to case. */
export async function findUserByEmail(db: Db | Tx, email: string): Promise<UserRow | null> {
  const [row] = await db
    .select()
    .from(users)
    .where(eq(sql`lower(${users.email})`, sql`lower(${email})`));
  return row ?? null;
}

/** Without regard to case. */
export async function isUsernameTaken(db: Db | Tx, username: string): Promise<boolean> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(eq(sql`lower(${users.username})`, sql`lower(${username})`));
  return rows.length > 0;
}

/** @throws a unique violation of users_email_unique or users_username_unique */
export async function createUser(db: Db | Tx, user: NewUser): Promise<UserRow> {
  const [row] = await db
    .insert(users)
    .values({ id: uuidv7(), ...user })
    .returning();
  if (!row) throw new Error('The new user was not returned');
  return row;
}

/** @throws a unique violation of users_username_unique */
export async function updateUser(
  db: Db | Tx,
  id: string,
  changes: Partial<
    Pick<
      UserRow,
      'username' | 'firstName' | 'lastName' | 'passwordHash' | 'emailVerifiedAt' | 'caricatureConsentAt'
    >
  >,
): Promise<UserRow> {
  const [row] = await db.update(users).set(changes).where(eq(users.id, id)).returning();
  if (!row) throw new Error('The user is not there');
  return row;
}

/** Null when it is nobody's, or nobody's any more. */
export async function findUserByInboundToken(db: Db, token: string): Promise<UserRow | null> {
  const [row] = await db.select().from(users).where(eq(users.inboundToken, token));
  return row ?? null;
}

/** A new one in place of the old. */
export async function renewInboundToken(db: Db, id: string): Promise<UserRow> {
  const [row] = await db
    .update(users)
    .set({ inboundToken: sql`default` })
    .where(eq(users.id, id))
    .returning();
  if (!row) throw new Error('The user is not there');
  return row;
}

export async function updateTimeZone(db: Db | Tx, id: string, timeZone: string): Promise<void> {
  await db.update(users).set({ timeZone }).where(eq(users.id, id));
}

/** Others who lock this account wait until the transaction ends; whoever only reads it or refers to it does not. */
export async function lockUser(tx: Tx, id: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for('no key update');
}

/** The zone in which this person's days begin: the browser's, else the last known, else UTC. */
export function userTimeZone(user: Pick<UserRow, 'timeZone'>): string {
  return user.timeZone ?? 'UTC';
}
