import type { User } from '#shared/accounts/user';
import { classNames } from '../../lib/class-names.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { CHECK_CONNECTION, showError } from '../../ui/toasts/show-error.ts';
import { showSuccess } from '../../ui/toasts/toast-store.ts';
import { useResendVerification } from './user-api.ts';

interface UnverifiedEmailNoticeProps {
  user: User;
  /** What the unverified address prevents. */
  consequence?: string;
  className?: string;
}

export function UnverifiedEmailNotice({
  user,
  consequence = 'Until then, your contacts get no new photos.',
  className,
}: UnverifiedEmailNoticeProps) {
  if (user.emailVerified) return null;
  return (
    <aside
      aria-label="Please confirm your email address"
      className={classNames('flex flex-col items-start gap-3 border-l-2 border-edge py-1 pl-5', className)}
    >
      <p className="max-w-2xl wrap-anywhere">
        <span className="font-semibold">Please confirm your email address.</span> {consequence} We sent a link
        to {user.email}.
        {user.verifyEmailBy && ` Without it, this album will be deleted on ${formatDay(user.verifyEmailBy)}.`}
      </p>
      <ResendLinkButton />
    </aside>
  );
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });

function formatDay(instant: string): string {
  return day.format(new Date(instant));
}

interface ResendButtonProps {
  name?: string;
  variant?: 'primary' | 'secondary';
}

export function ResendLinkButton({ name = 'Resend link', variant = 'secondary' }: ResendButtonProps) {
  const { mutateAsync: resend, isPending } = useResendVerification();
  const send = () =>
    resend().then(
      () => showSuccess('Link sent', 'Check your inbox. The link works for 24 hours.'),
      (error: unknown) => showError(error, 'The link could not be sent', CHECK_CONNECTION),
    );
  return (
    <Button variant={variant} onClick={() => void send()} isPending={isPending} pendingText="Sending...">
      {name}
    </Button>
  );
}
