import { parseArgs } from 'node:util';
import type { AppContext } from '../../platform/context.ts';
import { StartupError } from '../../platform/startup-error.ts';
import { findUserByEmail, isEmailVerified, updateUser, type UserRow } from '../users/user-queries.ts';
import { listAdmins, lockWithAdmins } from './admin-user-queries.ts';

const USAGE = `Usage: npm run admin -- you@home.example
--remove takes the role away; without an address, the administrators are listed.
--unverified names an account whose email address is not confirmed.`;
const UNVERIFIED =
  'Their email address is not confirmed yet. To make them an administrator anyway, add --unverified.';

type Context = Pick<AppContext, 'db'> & { mailer: Pick<AppContext['mailer'], 'isEmbedded'> };
type Arguments = { email: string | undefined; isRemoval: boolean; allowsUnverified: boolean };

/** Returns the lines to print. @throws StartupError */
export async function runAdminCommand(context: Context, args: string[]): Promise<string[]> {
  const { db } = context;
  const { email, isRemoval, allowsUnverified } = parse(args);
  if (email === undefined) return listLines(await listAdmins(db));
  const user = await findUserByEmail(db, email);
  if (!user) throw new StartupError(`There is no account with the address ${email}.`);
  await setAdmin(context, user.id, { isAdmin: !isRemoval, allowsUnverified });
  return [`${user.email} is ${isRemoval ? 'not an administrator now' : 'an administrator now'}.`];
}

function parse(args: string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: {
        remove: { type: 'boolean', default: false },
        unverified: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    });
    const [email, ...others] = positionals;
    if (others.length > 0 || (values.remove && email === undefined))
      throw new Error('Please name one address.');
    return { email, isRemoval: values.remove, allowsUnverified: values.unverified };
  } catch (error) {
    throw new StartupError(`${(error as Error).message}\n${USAGE}`);
  }
}

function setAdmin(
  context: Context,
  id: string,
  { isAdmin, allowsUnverified }: { isAdmin: boolean; allowsUnverified: boolean },
): Promise<void> {
  return context.db.transaction(async (tx) => {
    const locked = await lockWithAdmins(tx, id);
    const user = locked.find((each) => each.id === id);
    if (!user) throw new StartupError('The account has just been deleted.');
    if (isAdmin && user.disabledAt)
      throw new StartupError('This account is disabled. Another administrator can enable it.');
    if (isAdmin && !user.isAdmin && !allowsUnverified && !isEmailVerified(context, user))
      throw new StartupError(UNVERIFIED);
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
