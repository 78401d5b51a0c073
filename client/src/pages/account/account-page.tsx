import { Link } from 'wouter';
import { formatPhoneNumber } from '#shared/text/phone';
import type { User } from '#shared/accounts/user';
import { DeleteAccount } from '../../features/account-deletion/delete-account.tsx';
import { ActivityList } from '../../features/activity/activity-list.tsx';
import { ExportSection } from '../../features/exports/export-section.tsx';
import { ImportSection } from '../../features/imports/import-section.tsx';
import { ForwardingRequests } from '../../features/inbound-email/forwarding-requests.tsx';
import { ConnectedSignIns } from '../../features/oidc/connected-sign-ins.tsx';
import { ConfirmIdentityProvider } from '../../features/sessions/confirm-identity.tsx';
import { Passkeys } from '../../features/passkeys/passkeys.tsx';
import { SecondFactors } from '../../features/second-factors/second-factors.tsx';
import { SessionList } from '../../features/sessions/session-list.tsx';
import { SharesSection } from '../../features/shares/shares-section.tsx';
import { EmailSettings } from '../../features/users/email-settings.tsx';
import { NamesForm, PASSKEYS_ID, PasswordForm } from '../../features/users/user-settings-forms.tsx';
import { paths } from '../../lib/routing/paths.ts';
import { usePageTitle } from '../../lib/routing/use-page-title.ts';
import { buttonClasses } from '../../ui/buttons/button.tsx';
import { SettingsGroup, SettingsSection } from '../../ui/settings-section.tsx';

export function AccountPage({ user }: { user: User }) {
  usePageTitle('Your Account');
  return (
    <ConfirmIdentityProvider>
      <div className="mx-auto max-w-4xl px-5 pt-8 pb-24 sm:px-8 sm:pt-14">
        <h1 className="mb-8 text-display sm:mb-10">Your Account</h1>
        <WhoYouAre user={user} />
        <HowYouSignIn user={user} />
        <SettingsGroup title="Where you are signed in">
          <SettingsSection
            title="Devices"
            note="Lost your phone, or used someone else’s computer? Sign out there. Devices are signed out after 30 days without use, and after 90 days at the latest."
          >
            <SessionList />
          </SettingsSection>
        </SettingsGroup>
        <SettingsGroup title="What happened">
          <SettingsSection
            title="Recent activity"
            note="Sign-ins and changes of the last 90 days. If something was not you, change your password: it signs out every other device. Then review your passkeys and connected sign-ins."
          >
            <ActivityList />
          </SettingsSection>
        </SettingsGroup>
        <SharesSection />
        <SettingsGroup title="Yours to keep">
          <ExportSection />
          <ImportSection />
        </SettingsGroup>
        <DeleteAccount user={user} />
      </div>
    </ConfirmIdentityProvider>
  );
}

function WhoYouAre({ user }: { user: User }) {
  return (
    <SettingsGroup title="Who you are">
      <SettingsSection
        title="Names"
        note="Your contacts see your first name, or your username if you have not entered one."
      >
        <NamesForm user={user} />
      </SettingsSection>
      <SettingsSection title="Email" note="You use it to sign in, and replies to your photos go there.">
        <EmailSettings user={user} />
      </SettingsSection>
      <PhoneSection user={user} />
      {user.inboundEmail && <PhotosByEmail address={user.inboundEmail} />}
    </SettingsGroup>
  );
}

function PhoneSection({ user }: { user: User }) {
  return (
    <SettingsSection
      title="Phone"
      note={
        user.phoneVerified
          ? 'Photos that you text us from this number are added to your album.'
          : 'Verify your number with a code that we text to you.'
      }
    >
      <p className="text-lead">{user.phoneNumber ? formatPhoneNumber(user.phoneNumber) : 'No number yet'}</p>
      <Link
        href={paths.phoneVerification}
        className={buttonClasses({ variant: 'secondary', className: 'mt-4 max-sm:w-full' })}
      >
        {user.phoneVerified ? 'Change or remove' : 'Verify your phone'}
      </Link>
    </SettingsSection>
  );
}

function PhotosByEmail({ address }: { address: string }) {
  return (
    <SettingsSection
      title="Photos by email"
      note="Photos sent to your own address are added to your album. You choose who may send them."
    >
      <p className="text-lead wrap-anywhere">{address}</p>
      <Link
        href={paths.phoneVerification}
        className={buttonClasses({ variant: 'secondary', className: 'mt-4 max-sm:w-full' })}
      >
        Manage address and senders
      </Link>
      <ForwardingRequests className="mt-6" />
    </SettingsSection>
  );
}

function HowYouSignIn({ user }: { user: User }) {
  return (
    <SettingsGroup title="How you sign in">
      <SettingsSection title="Password" note="Changing it signs you out on every other device.">
        <PasswordForm user={user} />
      </SettingsSection>
      <SettingsSection
        title="Authenticator app"
        note="After your password, sign-in asks for a code from an app on your phone."
      >
        <SecondFactors user={user} />
      </SettingsSection>
      <SettingsSection
        id={PASSKEYS_ID}
        title="Passkeys"
        note="Sign in with your fingerprint, face or screen lock, without a password or a code."
      >
        <Passkeys />
      </SettingsSection>
      <ConnectedSignIns />
    </SettingsGroup>
  );
}
