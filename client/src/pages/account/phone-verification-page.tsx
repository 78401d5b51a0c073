import { CircleCheck } from 'lucide-react';
import { useRef, useState, type ComponentProps } from 'react';
import { formatPhoneNumber, VERIFICATION_CODE_LENGTH } from '#shared/text/phone';
import type { User } from '#shared/accounts/user';
import { useAppConfig } from '../../features/app-config/app-config-api.ts';
import { EmailInstructions } from '../../features/inbound-email/email-instructions.tsx';
import { CodeStep } from '../../features/phone-verification/code-step.tsx';
import { useRemovePhone } from '../../features/phone-verification/phone-api.ts';
import { PhoneStep } from '../../features/phone-verification/phone-step.tsx';
import { SmsInstructions } from '../../features/phone-verification/sms-instructions.tsx';
import { VerifiedPhone } from '../../features/phone-verification/verified-phone.tsx';
import { useVerificationStep } from '../../features/phone-verification/use-verification-step.ts';
import { ConfirmIdentityProvider } from '../../features/sessions/confirm-identity.tsx';
import { UnverifiedEmailNotice } from '../../features/users/unverified-email-notice.tsx';
import { useConfirmedIdentity } from '../../features/users/use-confirmed-identity.ts';
import { usePageTitle } from '../../lib/routing/use-page-title.ts';
import { LoadingScreen } from '../../ui/loading/loading-screen.tsx';
import { showSuccess } from '../../ui/toasts/toast-store.ts';
import { useConfirm } from '../../ui/dialogs/use-confirm.tsx';

export function PhoneVerificationPage({ user }: { user: User }) {
  return (
    <ConfirmIdentityProvider>
      <PhoneVerification user={user} />
    </ConfirmIdentityProvider>
  );
}

function PhoneVerification({ user }: { user: User }) {
  const { verifiedNumber, codeToEnter, isVerified, changed, ...step } = useVerificationStep(user);
  const { data: config, isFirstLoad } = useAppConfig();
  const askToRemove = useAskToRemove();
  /** Receives the focus when the focused step is removed. */
  const heading = useRef<HTMLHeadingElement>(null);

  const finish = () => {
    step.finish();
    heading.current?.focus();
  };

  usePageTitle('Add by text or email');
  // The texts depend on the configuration: showing them earlier would shift the layout.
  if (isFirstLoad) return <LoadingScreen isPage />;
  return (
    <div className="mx-auto max-w-2xl px-5 pt-8 pb-24 sm:px-8 sm:pt-14">
      <h1 className="mb-8 text-display sm:mb-10">Add by text or email</h1>
      <h2
        ref={heading}
        tabIndex={-1}
        data-focus-fallback=""
        className="mb-4 flex items-center gap-3 text-title outline-none"
      >
        {isVerified && <CircleCheck className="size-7 shrink-0 text-sage" />}
        {isVerified ? 'Phone Verified!' : 'Phone Verification'}
      </h2>
      {codeToEnter ? (
        <CodeStep
          sentCode={codeToEnter}
          onResent={step.enterNewCode}
          onChangeNumber={() => step.changeNumber(codeToEnter.sentTo)}
          onVerified={finish}
        />
      ) : isVerified && verifiedNumber ? (
        <VerifiedPhone
          phoneNumber={verifiedNumber}
          onChange={() => step.changeNumber(verifiedNumber)}
          onRemove={() => void askToRemove(verifiedNumber)}
        >
          <SmsInstructions productNumber={config?.phoneNumber} />
        </VerifiedPhone>
      ) : (
        <EnterNumber
          user={user}
          canText={!!config?.phoneNumber}
          previousNumber={changed}
          onSent={step.enterCode}
          onCancel={verifiedNumber === null ? null : finish}
        />
      )}
      <EmailInstructions user={user} />
    </div>
  );
}

interface EnterNumberProps extends Omit<ComponentProps<typeof PhoneStep>, 'onEmailUnverified'> {
  user: User;
  /** Whether photos can be texted to us. */
  canText: boolean;
}

function EnterNumber({ user, canText, ...step }: EnterNumberProps) {
  const [isEmailNeeded, setEmailNeeded] = useState(false);
  return (
    <>
      <p className="mb-8 text-muted">
        {canText && 'Photos you text us from a verified number are added to your album. '}
        We text a <span className="whitespace-nowrap">{VERIFICATION_CODE_LENGTH}-digit</span> code to your
        phone to confirm that the number is yours.
      </p>
      {isEmailNeeded && (
        <UnverifiedEmailNotice
          user={user}
          consequence="Until then, we can’t text you a code."
          className="mb-8"
        />
      )}
      <PhoneStep key={step.previousNumber} {...step} onEmailUnverified={() => setEmailNeeded(true)} />
    </>
  );
}

/** @returns a function that asks for confirmation and removes the number */
function useAskToRemove() {
  const confirm = useConfirm();
  const { mutateAsync: remove } = useRemovePhone();
  const withConfirmedIdentity = useConfirmedIdentity();
  return (phoneNumber: string) =>
    confirm({
      title: 'Are you sure you want to remove this number?',
      description: `${formatPhoneNumber(phoneNumber)} will no longer be on your account. You can verify it again at any time.`,
      confirmText: 'Remove',
      pendingText: 'Removing...',
      errorToast: ['Error', 'Failed to remove number'],
      onConfirm: async () => {
        await withConfirmedIdentity(remove);
        showSuccess('Phone number removed');
      },
    });
}
