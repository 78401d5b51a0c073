import { useLocation } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import * as z from 'zod/mini';
import { paths } from '../../lib/paths.ts';
import { showError } from '../../ui/show-error.ts';
import { showToast } from '../../ui/toast-store.ts';
import { useSendCode } from './phone-api.ts';

/** A code was sent. Kept with the entry in the browser's history: whoever comes back from reading it finds the field. */
const SentCode = z.object({
  sentTo: z.string(),
  /** By this browser's clock. */
  sentAt: z.number(),
  /** Where it is to be found, in the server's words. */
  message: z.string(),
});
export type SentCode = z.infer<typeof SentCode>;

/** Another number is to be entered in place of this one, which may be verified or not. */
const ChangedNumber = z.object({ changed: z.string() });

/** Which step of the verification is on the screen, for a person who has not verified a number or wants another. */
export function useVerificationStep() {
  const [, navigate] = useLocation();
  const state = useHistoryState<unknown>();
  const go = (state: object | null, options: { replace?: boolean } = {}) =>
    navigate(paths.phoneVerification, { ...options, state });
  return {
    sentCode: SentCode.safeParse(state).data ?? null,
    changed: ChangedNumber.safeParse(state).data?.changed ?? null,
    enterCode: (sentCode: SentCode) => go(sentCode),
    /** The same step, of a newer code. */
    enterNewCode: (sentCode: SentCode) => go(sentCode, { replace: true }),
    changeNumber: (changed: string) => go({ changed }),
    finish: () => go(null, { replace: true }),
  };
}

/** Sends a code and tells of it; null when it was not sent, which `onError` hears, too. */
export function useSendCodeTo(onError: (error: unknown) => void = () => {}) {
  const { mutateAsync: send, isPending } = useSendCode();
  const sendCodeTo = async (phoneNumber: string): Promise<SentCode | null> => {
    try {
      const { message } = await send({ phoneNumber });
      showToast({ title: 'Verification code sent', description: message, variant: 'success' });
      return { sentTo: phoneNumber, sentAt: Date.now(), message };
    } catch (error) {
      showError(error, 'Failed to send code', 'Please try again');
      onError(error);
      return null;
    }
  };
  return { sendCodeTo, isSending: isPending };
}
