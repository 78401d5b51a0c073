import { Link } from 'wouter';
import type { User } from '#shared/accounts/user';
import { classNames } from '../../lib/class-names.ts';
import { paths } from '../../lib/routing/paths.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { CHECK_CONNECTION, showError } from '../../ui/toasts/show-error.ts';
import { showSuccess } from '../../ui/toasts/toast-store.ts';
import { useResendVerification } from './user-api.ts';

interface UnverifiedEmailNoticeProps {
  user: User;
  /** What the unverified address prevents. */
  consequence?: string;
  /** On phones one line, which leads to the whole text. */
  isCompact?: boolean;
  className?: string;
}

export function UnverifiedEmailNotice({
  user,
  consequence = 'Until then, your contacts get no new photos.',
  isCompact = false,
  className,
}: UnverifiedEmailNoticeProps) {
  if (user.emailVerified) return null;
  return (
    <aside
      aria-label="Please confirm your email address"
      className={classNames(
        'flex flex-col items-start gap-3 border-l-2 border-edge py-1 pl-5',
        isCompact && 'max-sm:h-11 max-sm:flex-row max-sm:items-center max-sm:py-0 max-sm:pl-4',
        className,
      )}
    >
      {isCompact && (
        <Link
          href={paths.account}
          className="flex min-h-11 min-w-0 grow items-center text-small font-semibold underline decoration-hairline decoration-2 underline-offset-4 sm:hidden"
        >
          Confirm your email{user.verifyEmailBy && ` by ${formatShortDay(user.verifyEmailBy)}`}
        </Link>
      )}
      <p className={classNames('max-w-2xl wrap-anywhere', isCompact && 'max-sm:hidden')}>
        <span className="font-semibold">Please confirm your email address.</span> {consequence} We sent a link
        to {user.email}.
        {user.verifyEmailBy && ` Without it, this album will be deleted on ${formatDay(user.verifyEmailBy)}.`}
      </p>
      <ResendLinkButton className={isCompact ? 'max-sm:px-3 max-sm:text-small' : undefined} />
    </aside>
  );
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });

function formatDay(instant: string): string {
  return day.format(new Date(instant));
}

const shortDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });

function formatShortDay(instant: string): string {
  return shortDay.format(new Date(instant));
}

interface ResendButtonProps {
  name?: string;
  className?: string | undefined;
  variant?: 'primary' | 'secondary';
}

export function ResendLinkButton({
  name = 'Resend link',
  variant = 'secondary',
  className,
}: ResendButtonProps) {
  const { mutateAsync: resend, isPending } = useResendVerification();
  const send = () =>
    resend().then(
      () => showSuccess('Link sent', 'Check your inbox. The link works for 24 hours.'),
      (error: unknown) => showError(error, 'The link could not be sent', CHECK_CONNECTION),
    );
  return (
    <Button
      variant={variant}
      onClick={() => void send()}
      isPending={isPending}
      pendingText="Sending..."
      className={className}
    >
      {name}
    </Button>
  );
}
