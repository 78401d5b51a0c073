import { useLocation } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import * as z from 'zod/mini';
import { paths } from '../../lib/paths.ts';
import { SentCode } from './use-send-verification-code.ts';

/** The number to replace, verified or not. */
const ChangedNumber = z.object({ changed: z.string() });

export function useVerificationStep() {
  const [, navigate] = useLocation();
  const state = useHistoryState<unknown>();
  const go = (state: object | null, options: { replace?: boolean } = {}) =>
    navigate(paths.phoneVerification, { ...options, state });
  return {
    sentCode: SentCode.safeParse(state).data ?? null,
    changed: ChangedNumber.safeParse(state).data?.changed ?? null,
    enterCode: (sentCode: SentCode) => go(sentCode),
    enterNewCode: (sentCode: SentCode) => go(sentCode, { replace: true }),
    changeNumber: (changed: string) => go({ changed }),
    finish: () => go(null, { replace: true }),
  };
}
