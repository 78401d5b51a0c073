import { Button } from '../../ui/button.tsx';
import { showFailure } from '../../ui/show-failure.ts';
import { showToast } from '../../ui/toast-store.ts';
import { useResendVerification } from './account-api.ts';

interface ResendButtonProps {
  name?: string;
  variant?: 'primary' | 'secondary';
}

/** Mails the link again that confirms the account's address. */
export function ResendButton({ name = 'Resend link', variant = 'secondary' }: ResendButtonProps) {
  const { mutateAsync: resend, isPending } = useResendVerification();
  const send = () =>
    resend().then(
      () =>
        showToast({
          title: 'Link sent',
          description: 'Check your inbox. The link works for 24 hours.',
          variant: 'success',
        }),
      (error: unknown) =>
        showFailure(error, 'The link could not be sent', 'Please check your connection and try again.'),
    );
  return (
    <Button variant={variant} onClick={() => void send()} isPending={isPending} pendingText="Sending...">
      {name}
    </Button>
  );
}
