import { CircleCheck } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Link } from 'wouter';
import { formatPhoneNumber } from '#shared/phone';
import type { User } from '#shared/user';
import { NamesForm, PasswordForm } from '../features/users/user-settings-forms.tsx';
import { UnverifiedEmailNotice } from '../features/users/unverified-email-notice.tsx';
import { LogoutButton } from '../features/sessions/logout-button.tsx';
import { SharesSection } from '../features/shares/shares-section.tsx';
import { paths } from '../lib/paths.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { buttonClasses } from '../ui/button.tsx';

export function AccountPage({ user }: { user: User }) {
  usePageTitle('Your Account');
  return (
    <div className="mx-auto max-w-4xl px-5 pt-8 pb-24 sm:px-8 sm:pt-14">
      <h1 className="mb-8 text-display sm:mb-10">Your Account</h1>
      <AccountSection
        title="Names"
        note="Your contacts see your first name, or your username if you have not entered one."
      >
        <NamesForm user={user} />
      </AccountSection>
      <AccountSection title="Email" note="You use it to sign in, and replies to your photos go there.">
        <p className="text-lead wrap-anywhere">{user.email}</p>
        {user.emailVerified && (
          <p className="mt-1 flex items-center gap-2 text-small text-sage">
            <CircleCheck className="size-4" />
            Confirmed
          </p>
        )}
        <UnverifiedEmailNotice user={user} className="mt-4" />
      </AccountSection>
      <AccountSection title="Phone" note="Verify your number with a code that we text to you.">
        <p className="text-lead">
          {user.phoneNumber ? formatPhoneNumber(user.phoneNumber) : 'No number yet'}
        </p>
        <Link
          href={paths.phoneVerification}
          className={buttonClasses({ variant: 'secondary', className: 'mt-4' })}
        >
          {user.phoneVerified ? 'Change or remove' : 'Verify your phone'}
        </Link>
      </AccountSection>
      {user.inboundEmail && (
        <AccountSection
          title="Photos by email"
          note="Photos sent to your own address are added to your album. You choose who may send them."
        >
          <p className="text-lead wrap-anywhere">{user.inboundEmail}</p>
          <Link
            href={paths.phoneVerification}
            className={buttonClasses({ variant: 'secondary', className: 'mt-4' })}
          >
            Manage address and senders
          </Link>
        </AccountSection>
      )}
      <AccountSection title="Password" note="Changing it signs you out on every other device.">
        <PasswordForm user={user} />
      </AccountSection>
      <AccountSection
        title="Devices"
        note="Lost your phone, or used someone else’s computer? This signs you out everywhere, including here."
      >
        <LogoutButton isEverywhere />
      </AccountSection>
      <SharesSection />
    </div>
  );
}

interface AccountSectionProps {
  title: string;
  note: string;
  children: ReactNode;
}

function AccountSection({ title, note, children }: AccountSectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-12 gap-y-5 border-t border-hairline py-8 sm:py-10 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]"
    >
      <div>
        <h2 id={id} className="text-lead">
          {title}
        </h2>
        <p className="mt-1 max-w-md text-small text-muted">{note}</p>
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  );
}
