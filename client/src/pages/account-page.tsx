import { CircleCheck } from 'lucide-react';
import { Link } from 'wouter';
import { formatPhoneNumber } from '#shared/phone';
import type { User } from '#shared/user';
import { AccountSection } from '../features/account/account-section.tsx';
import { NamesForm } from '../features/account/names-form.tsx';
import { PasswordForm } from '../features/account/password-form.tsx';
import { UnverifiedNotice } from '../features/account/unverified-notice.tsx';
import { LogoutEverywhereButton } from '../features/session/logout-button.tsx';
import { SharedLinks } from '../features/shares/shared-links.tsx';
import { paths } from '../lib/paths.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { buttonClasses } from '../ui/button.tsx';

export function AccountPage({ user }: { user: User }) {
  usePageTitle('Your Account');
  return (
    <div className="mx-auto max-w-4xl px-5 pt-8 pb-24 sm:px-8 sm:pt-14">
      <h1 className="mb-8 text-display sm:mb-10">Your Account</h1>
      <AccountSection title="Names" note="Your contacts know you by your first name, else by your username.">
        <NamesForm user={user} />
      </AccountSection>
      <AccountSection title="Email" note="You sign in with it, and replies to your photos go there.">
        <p className="text-lead wrap-anywhere">{user.email}</p>
        {user.emailVerified && (
          <p className="mt-1 flex items-center gap-2 text-small text-sage">
            <CircleCheck aria-hidden className="size-4" strokeWidth={1.75} />
            Confirmed
          </p>
        )}
        <UnverifiedNotice user={user} className="mt-4" />
      </AccountSection>
      <AccountSection
        title="Phone"
        note="A number is yours once you have typed in a code that was texted to it."
      >
        <p className="text-lead">
          {user.phoneNumber ? formatPhoneNumber(user.phoneNumber) : 'No number yet'}
        </p>
        <Link href={paths.phoneVerification} className={buttonClasses('secondary', 'mt-4')}>
          {user.phoneVerified ? 'Change or remove' : 'Verify your phone'}
        </Link>
      </AccountSection>
      {user.inboundEmail && (
        <AccountSection
          title="Photos by e-mail"
          note="An address of your own takes photos into your album. You choose who may send there."
        >
          <p className="text-lead wrap-anywhere">{user.inboundEmail}</p>
          <Link href={paths.phoneVerification} className={buttonClasses('secondary', 'mt-4')}>
            Your address and who may send
          </Link>
        </AccountSection>
      )}
      <AccountSection title="Password" note="Changing it signs you out on every other device.">
        <PasswordForm user={user} />
      </AccountSection>
      <AccountSection
        title="Devices"
        note="A lost phone, somebody else's computer: this ends every session, also the one here."
      >
        <LogoutEverywhereButton />
      </AccountSection>
      <SharedLinks />
    </div>
  );
}
