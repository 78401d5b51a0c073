import { serverMessage } from '../../lib/api-client.ts';
import { isLostSession } from '../../lib/lost-session.ts';
import { showToast } from '../../ui/toast-store.ts';
import { useSendCode } from './phone-api.ts';
import type { SentCode } from './verification-step.ts';

/** Sends a code and tells of it; null when it was not sent, which `onError` hears, too. */
export function useSendCodeTo(onError: (error: unknown) => void = () => {}) {
  const { mutateAsync: send, isPending } = useSendCode();
  const sendCodeTo = async (phoneNumber: string): Promise<SentCode | null> => {
    try {
      const { message } = await send({ phoneNumber });
      showToast({ title: 'Verification code sent', description: message, variant: 'success' });
      return { sentTo: phoneNumber, sentAt: Date.now(), message };
    } catch (error) {
      // A lost session has its own notice.
      if (isLostSession(error)) return null;
      const description = serverMessage(error) ?? 'Please try again';
      showToast({ title: 'Failed to send code', description, variant: 'destructive' });
      onError(error);
      return null;
    }
  };
  return { sendCodeTo, isSending: isPending };
}
