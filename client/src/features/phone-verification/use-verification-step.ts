import { useLocation } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import * as z from 'zod/mini';
import type { User } from '#shared/accounts/user';
import { paths } from '../../lib/routing/paths.ts';
import { SentCode } from './use-send-verification-code.ts';

/** The number to replace, verified or not. */
const ChangedNumber = z.object({ changed: z.string() });

/** Entering the number, entering its code, verified. */
export function useVerificationStep({
  phoneNumber,
  phoneVerified,
}: Pick<User, 'phoneNumber' | 'phoneVerified'>) {
  const [, navigate] = useLocation();
  const state = useHistoryState<unknown>();
  const go = (state: object | null, options: { replace?: boolean } = {}) =>
    navigate(paths.phoneVerification, { ...options, state });
  const verifiedNumber = phoneVerified ? phoneNumber : null;
  const sentCode = SentCode.safeParse(state).data ?? null;
  // A code for the verified number was used already.
  const codeToEnter = sentCode?.sentTo === verifiedNumber ? null : sentCode;
  const changed = ChangedNumber.safeParse(state).data?.changed ?? null;
  return {
    verifiedNumber,
    /** Null outside the code step. */
    codeToEnter,
    isVerified: verifiedNumber !== null && codeToEnter === null && changed === null,
    changed,
    enterCode: (sentCode: SentCode) => go(sentCode),
    enterNewCode: (sentCode: SentCode) => go(sentCode, { replace: true }),
    changeNumber: (changed: string) => go({ changed }),
    finish: () => go(null, { replace: true }),
  };
}
