import { findUserByEmail } from '../features/accounts/users/user-queries.ts';
import { hasAdmins } from '../features/accounts/users/admin-queries.ts';
import type { Config } from '../platform/config/config.ts';
import { describePaidServicesOff } from '../platform/config/paid-services.ts';
import type { AppContext } from '../platform/context.ts';

const REGISTRATION = {
  open: 'Anyone who can open this address may create an account (REGISTRATION=open).',
  invite: 'New accounts need an invitation (REGISTRATION=invite).',
  closed: 'Registration is closed; only invitations work (REGISTRATION=closed).',
};

const PAID_ACCESS =
  'Without SMTP_URL, texts and caricatures by OpenAI are for administrators and the people they invite.';

const IGNORED =
  'is no administrator: ADMIN_EMAIL counts only while there is none. To add one: npm run admin -- you@home.example';

/** Lines for the start: who may register, and who may cause costs. */
export async function describeAccess(context: AppContext): Promise<string[]> {
  const { http, access } = context.config;
  return [
    ...(http.isOnlyLocal ? [] : [REGISTRATION[access.registration]]),
    ...(http.isOnlyLocal || !isPaidLimited(context.config) ? [] : [PAID_ACCESS]),
    ...describePaidServicesOff(context.config.paidServicesOff),
    ...((await isAdminEmailIgnored(context)) ? [`${access.adminEmail} ${IGNORED}`] : []),
  ];
}

async function isAdminEmailIgnored({ config, db }: AppContext): Promise<boolean> {
  const { adminEmail } = config.access;
  if (adminEmail === null || !(await hasAdmins(db))) return false;
  return !(await findUserByEmail(db, adminEmail))?.isAdmin;
}

function isPaidLimited({ email, sms, caricatureGenerator }: Config): boolean {
  const costsMoney = sms.transport.kind !== 'dev-outbox' || caricatureGenerator.kind === 'openai';
  return costsMoney && email.transport.kind !== 'smtp';
}
