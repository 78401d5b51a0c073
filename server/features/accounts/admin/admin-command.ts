import { parseArgs } from 'node:util';
import { EMAIL_NOT_VERIFIED, LAST_ADMIN } from '#shared/accounts/admin';
import type { AppContext } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { StartupError } from '../../../platform/process/startup-error.ts';
import { turnTotpOffForOwner } from '../second-factors/second-factor-service.ts';
import { createPasswordResetLink } from '../users/passwords/password-reset-link.ts';
import {
  findUserByEmail,
  isActive,
  isEmailVerified,
  updateUser,
  type UserRow,
} from '../users/user-queries.ts';
import { revokeLinksOfAdmins } from '../users/user-token-queries.ts';
import { listAdmins, lockWithAdmins } from '../users/admin-queries.ts';
import { recordAdminChangeJob } from '../users/record-admin-change-job.ts';

const USAGE = `Usage: npm run admin -- you@home.example
--remove takes the role away; without an address, the administrators are listed.
--turn-totp-off lets someone sign in without a code who lost the authenticator app and the recovery codes.
--password-link prints a link for a new password instead, and tells the account's owner by email.
--unverified names an account whose email address is not verified.`;
const UNVERIFIED = `${EMAIL_NOT_VERIFIED} To make them an administrator anyway, add --unverified.`;

type Context = Pick<AppContext, 'db' | 'clock' | 'jobs' | 'baseUrl'> & {
  mailer: Pick<AppContext['mailer'], 'isEmbedded'>;
};
type Arguments = {
  email: string | undefined;
  isRemoval: boolean;
  isPasswordLink: boolean;
  turnsTotpOff: boolean;
  allowsUnverified: boolean;
};

/** Returns the lines to print. @throws StartupError */
export async function runAdminCommand(context: Context, args: string[]): Promise<string[]> {
  const { db } = context;
  const { email, isRemoval, isPasswordLink, turnsTotpOff, allowsUnverified } = parse(args);
  if (email === undefined) return listLines(await listAdmins(db));
  const user = await findUserByEmail(db, email);
  if (!user) throw new StartupError(`There is no account with the address ${email}.`);
  if (isPasswordLink) return [`Works once, for one hour: ${await createLink(context, user.id)}`];
  if (turnsTotpOff) {
    await turnOff(context, user);
    return [`${user.email} signs in without a code now.`];
  }
  await setAdmin(context, user.id, { isAdmin: !isRemoval, allowsUnverified });
  return [`${user.email} is ${isRemoval ? 'not an administrator now' : 'an administrator now'}.`];
}

function parse(args: string[]): Arguments {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: {
        remove: { type: 'boolean', default: false },
        'password-link': { type: 'boolean', default: false },
        'turn-totp-off': { type: 'boolean', default: false },
        unverified: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    });
    const [email, ...others] = positionals;
    const isPasswordLink = values['password-link'];
    const turnsTotpOff = values['turn-totp-off'];
    const changes = [values.remove, isPasswordLink, turnsTotpOff].filter(Boolean).length;
    if (others.length > 0 || (changes > 0 && email === undefined))
      throw new Error('Please name one address.');
    if (values.remove && isPasswordLink) throw new Error('Use either --remove or --password-link.');
    if (changes > 1) throw new Error('Use --turn-totp-off alone.');
    return {
      email,
      isRemoval: values.remove,
      isPasswordLink,
      turnsTotpOff,
      allowsUnverified: values.unverified,
    };
  } catch (error) {
    throw new StartupError(`${(error as Error).message}\n${USAGE}`);
  }
}

/** For someone who has also lost the mailbox. The person who runs this command can read the photos' files anyway. */
async function createLink(context: Context, userId: string): Promise<string> {
  return context.db.transaction(async (tx) => {
    await recordChange(context, tx, { event: 'reset-link-created', userId });
    return createPasswordResetLink(context, tx, userId, null);
  });
}

async function turnOff(context: Context, user: UserRow): Promise<void> {
  const wasOn = await turnTotpOffForOwner(context, user);
  if (!wasOn) return;
  await context.db.transaction((tx) => recordChange(context, tx, { event: 'totp-off', userId: user.id }));
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
    if (isAdmin && user.deletionDueAt)
      throw new StartupError('This account is asleep. Its owner can bring it back by signing in.');
    const others = locked.filter((each) => each.id !== id && each.isAdmin && isActive(each));
    if (!isAdmin && user.isAdmin && others.length === 0)
      throw new StartupError(`This is the last administrator. ${LAST_ADMIN}`);
    if (isAdmin === user.isAdmin) return;
    await updateUser(tx, id, { isAdmin });
    await revokeLinksOfAdmins(tx, id);
    await recordChange(context, tx, { event: 'account-edited', userId: id, isAdmin });
  });
}

async function recordChange(
  { clock, jobs }: Context,
  tx: Tx,
  change: { event: 'account-edited' | 'reset-link-created' | 'totp-off'; userId: string; isAdmin?: boolean },
): Promise<void> {
  const at = clock.now().toISOString();
  await jobs.enqueue(tx, recordAdminChangeJob, { ...change, by: 'npm run admin', at });
}

function listLines(admins: UserRow[]): string[] {
  if (admins.length === 0) return [`There is no administrator yet.\n${USAGE}`];
  return admins.map(
    ({ email, username, disabledAt, deletionDueAt }) =>
      `${email} (${username})${disabledAt ? ', disabled' : ''}${deletionDueAt ? ', asleep' : ''}`,
  );
}
