import * as z from 'zod';
import { deleteActivityBefore } from '../features/accounts/activity/activity-queries.ts';
import { deleteEmailChangesBefore } from '../features/accounts/emailed-links/email-change-queries.ts';
import { deleteInvitationsExpiredBefore } from '../features/accounts/invitations/invitation-queries.ts';
import { deleteExpiredChallenges } from '../features/accounts/passkeys/passkey-queries.ts';
import { deleteUserTokensExpiredBefore } from '../features/accounts/users/user-token-queries.ts';
import { deleteIdempotencyKeysBefore } from '../features/idempotency/idempotency-queries.ts';
import { IDEMPOTENCY_KEY_LIFETIME_MS } from '../features/idempotency/with-idempotency-key.ts';
import { deletePhoneCodesExpiredBefore } from '../features/phone-verification/phone-code-queries.ts';
import { defineJob } from '../platform/jobs/define-job.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const ACTIVITY_RETENTION_MS = 90 * DAY_MS;
/** An expired link can still say "This was not me", until an unverified account is deleted. */
const USER_TOKEN_RETENTION_MS = 14 * DAY_MS;

/** Deletes rows by their age alone, from tables without stored objects. */
export const purgeExpiredRowsJob = defineJob({
  name: 'purge-expired-rows',
  formerNames: [
    'purge-activity',
    'purge-idempotency-keys',
    'purge-invites',
    'purge-passkey-challenges',
    'purge-phone-codes',
    'purge-user-tokens',
  ],
  cron: '13 * * * *',
  payload: z.object({}),
  retries: 2,
  expireInSeconds: 15 * 60,
  async handle({ db, clock }) {
    const now = clock.now();
    const before = (ageMs: number) => new Date(now.getTime() - ageMs);
    // All start, so that one that fails does not keep the others.
    await Promise.all([
      deleteExpiredChallenges(db, now),
      deletePhoneCodesExpiredBefore(db, now),
      deleteInvitationsExpiredBefore(db, now),
      deleteIdempotencyKeysBefore(db, before(IDEMPOTENCY_KEY_LIFETIME_MS)),
      deleteUserTokensExpiredBefore(db, before(USER_TOKEN_RETENTION_MS)),
      deleteEmailChangesBefore(db, before(USER_TOKEN_RETENTION_MS)),
      deleteActivityBefore(db, before(ACTIVITY_RETENTION_MS)),
    ]);
  },
});
