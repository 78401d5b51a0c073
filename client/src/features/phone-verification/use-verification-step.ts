import { useLocation } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import * as z from 'zod/mini';
import { paths } from '../../lib/paths.ts';
import { showError } from '../../ui/show-error.ts';
import { showToast } from '../../ui/toast-store.ts';
import { useSendCode } from './phone-api.ts';

/** Stored in the history entry, so that a reload after reading the SMS stays in the code step. */
const SentCode = z.object({
  sentTo: z.string(),
  sentAt: z.number(),
  /** The server's message: where the code was sent. */
  message: z.string(),
});
export type SentCode = z.infer<typeof SentCode>;

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

/** Sends a code and shows a toast. `sendCodeTo` resolves to null on error. */
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
