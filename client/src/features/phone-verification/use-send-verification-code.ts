import * as z from 'zod/mini';
import { showError } from '../../ui/toasts/show-error.ts';
import { showSuccess } from '../../ui/toasts/toast-store.ts';
import { useConfirmedIdentity } from '../users/use-confirmed-identity.ts';
import { useSendCode } from './phone-api.ts';

/** Stored in the history entry, so that a reload after reading the SMS stays in the code step. */
export const SentCode = z.object({
  sentTo: z.string(),
  sentAt: z.number(),
  /** The server's message: where the code was sent. */
  message: z.string(),
});
export type SentCode = z.infer<typeof SentCode>;

/** Sends a code and shows a toast. `sendCode` resolves to null on error. */
export function useSendVerificationCode(onError: (error: unknown) => void = () => {}) {
  const { mutateAsync: send, isPending } = useSendCode();
  const withConfirmedIdentity = useConfirmedIdentity();
  const sendCode = async (phoneNumber: string): Promise<SentCode | null> => {
    try {
      const { message } = await withConfirmedIdentity(() => send({ phoneNumber }));
      showSuccess('Verification code sent', message);
      return { sentTo: phoneNumber, sentAt: Date.now(), message };
    } catch (error) {
      showError(error, 'Failed to send code', 'Please try again');
      onError(error);
      return null;
    }
  };
  return { sendCode, isSending: isPending };
}
