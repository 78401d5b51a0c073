import { parseArgs } from 'node:util';
import type { Db } from '../../platform/db/database.ts';
import { StartupError } from '../../platform/startup-error.ts';
import { findUserByEmail, updateUser, type UserRow } from '../users/user-queries.ts';
import { listAdmins, lockWithAdmins } from './admin-user-queries.ts';

const USAGE = `Usage: npm run admin -- you@home.example
--remove takes the role away; without an address, the administrators are listed.`;

/** Returns the lines to print. @throws StartupError */
export async function runAdminCommand(db: Db, args: string[]): Promise<string[]> {
  const { email, isRemoval } = parse(args);
  if (email === undefined) return listLines(await listAdmins(db));
  const user = await findUserByEmail(db, email);
  if (!user) throw new StartupError(`There is no account with the address ${email}.`);
  await setAdmin(db, user.id, !isRemoval);
  return [`${user.email} is ${isRemoval ? 'not an administrator now' : 'an administrator now'}.`];
}

function parse(args: string[]): { email: string | undefined; isRemoval: boolean } {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { remove: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const [email, ...others] = positionals;
    if (others.length > 0 || (values.remove && email === undefined))
      throw new Error('Please name one address.');
    return { email, isRemoval: values.remove };
  } catch (error) {
    throw new StartupError(`${(error as Error).message}\n${USAGE}`);
  }
}

function setAdmin(db: Db, id: string, isAdmin: boolean): Promise<void> {
  return db.transaction(async (tx) => {
    const locked = await lockWithAdmins(tx, id);
    const user = locked.find((each) => each.id === id);
    if (!user) throw new StartupError('The account has just been deleted.');
    if (isAdmin && user.disabledAt)
      throw new StartupError('This account is disabled. Another administrator can enable it.');
    const others = locked.filter((each) => each.id !== id && each.isAdmin && !each.disabledAt);
    if (!isAdmin && user.isAdmin && others.length === 0)
      throw new StartupError('This is the last administrator. Make somebody else an administrator first.');
    await updateUser(tx, id, { isAdmin });
  });
}

function listLines(admins: UserRow[]): string[] {
  if (admins.length === 0) return [`There is no administrator yet.\n${USAGE}`];
  return admins.map(
    ({ email, username, disabledAt }) => `${email} (${username})${disabledAt ? ', disabled' : ''}`,
  );
}
