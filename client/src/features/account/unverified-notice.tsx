import type { User } from '#shared/user';
import { classNames } from '../../lib/class-names.ts';
import { ResendButton } from './resend-button.tsx';

/** Says why no email goes out, and what helps. Nothing once the address is confirmed. */
export function UnverifiedNotice({ user, className }: { user: User; className?: string }) {
  if (user.emailVerified) return null;
  return (
    <aside
      aria-label="Please confirm your email address"
      className={classNames('flex flex-col items-start gap-3 border-l-2 border-edge py-1 pl-5', className)}
    >
      <p className="max-w-2xl wrap-anywhere">
        <span className="font-semibold">Please confirm your email address.</span> Until then, your contacts
        get no new photos. We sent a link to {user.email}.
      </p>
      <ResendButton />
    </aside>
  );
}
