import type { User } from '#shared/user';
import { classNames } from '../../lib/class-names.ts';
import { ResendButton } from './resend-button.tsx';

/** Says why no e-mail goes out, and what helps. Nothing once the address is confirmed. */
export function UnverifiedNotice({ user, className }: { user: User; className?: string }) {
  if (user.emailVerified) return null;
  return (
    <aside
      aria-label="Your address is not confirmed"
      className={classNames('flex flex-col items-start gap-3 border-l-2 border-edge py-1 pl-5', className)}
    >
      <p className="max-w-2xl wrap-anywhere">
        <span className="font-semibold">New photos wait until your address is confirmed.</span> We sent a link
        to {user.email}. Once you open it, your contacts get what has waited.
      </p>
      <ResendButton />
    </aside>
  );
}
