import { v7 as uuidv7 } from 'uuid';
import type { RegisterRequest } from '#shared/user';
import type { AppContext } from '../../platform/context.ts';
import { violatedUniqueConstraint } from '../../platform/db/database-errors.ts';
import { ConflictError } from '../../platform/errors.ts';
import { sendAccountMailJobDefinition } from '../job-catalogue.ts';
import { isEmailVerified } from './email-verification.ts';
import { hashPassword } from './password.ts';
import { createUser, findUserByEmail, isUsernameTaken, type UserRow } from './user-queries.ts';

const EMAIL_TAKEN = 'An account with this email address already exists';
export const USERNAME_TAKEN = 'This username is already taken';

/** @throws ConflictError naming email, username or both as taken */
export async function registerUser(
  { db, jobs, mailer }: Pick<AppContext, 'db' | 'jobs' | 'mailer'>,
  request: RegisterRequest,
): Promise<UserRow> {
  const fields: Record<string, string> = {};
  if (await findUserByEmail(db, request.email)) fields['email'] = EMAIL_TAKEN;
  if (await isUsernameTaken(db, request.username)) fields['username'] = USERNAME_TAKEN;
  if (Object.keys(fields).length > 0) throw conflict(fields);
  try {
    const passwordHash = await hashPassword(request.password);
    return await db.transaction(async (tx) => {
      const user = await createUser(tx, {
        email: request.email,
        username: request.username,
        firstName: request.firstName || null,
        lastName: request.lastName || null,
        passwordHash,
      });
      if (!isEmailVerified({ mailer }, user)) {
        await jobs.enqueue(tx, sendAccountMailJobDefinition, {
          userId: user.id,
          purpose: 'verify-email',
          mailId: uuidv7(),
        });
      }
      return user;
    });
  } catch (error) {
    // Somebody was faster, perhaps this person's own second click.
    const constraint = violatedUniqueConstraint(error);
    if (constraint === 'users_email_unique') throw conflict({ email: EMAIL_TAKEN });
    if (constraint === 'users_username_unique') throw conflict({ username: USERNAME_TAKEN });
    throw error;
  }
}

function conflict(fields: Record<string, string>): ConflictError {
  return new ConflictError(Object.values(fields).join('. '), fields);
}
