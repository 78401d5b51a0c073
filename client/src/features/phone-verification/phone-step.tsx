import { EMAIL_UNVERIFIED } from '#shared/accounts/user';
import { formatPhoneNumber, SendVerificationRequest } from '#shared/text/phone';
import { ApiError } from '../../lib/api/api-client.ts';
import { showFieldErrors } from '../../lib/form-fields.ts';
import { useZodForm } from '../../lib/use-zod-form.ts';
import { TextField } from '../../ui/forms/field.tsx';
import { CancelButton, Form, SubmitButton } from '../../ui/forms/form.tsx';
import { NotSentNotice } from '../app-config/not-sent-notice.tsx';
import { type SentCode, useSendVerificationCode } from './use-send-verification-code.ts';

interface PhoneStepProps {
  previousNumber: string | null;
  onSent: (sentCode: SentCode) => void;
  /** The server demands a confirmed email address. */
  onEmailUnverified: () => void;
  /** Null without a verified number. */
  onCancel: (() => void) | null;
}

export function PhoneStep({ previousNumber, onSent, onEmailUnverified, onCancel }: PhoneStepProps) {
  const { form, field } = useZodForm(SendVerificationRequest, {
    phoneNumber: previousNumber ? formatPhoneNumber(previousNumber) : '',
  });
  const { sendCode } = useSendVerificationCode((error) => {
    showFieldErrors(error, form);
    if (error instanceof ApiError && error.body?.code === EMAIL_UNVERIFIED) onEmailUnverified();
  });
  const send = async ({ phoneNumber }: SendVerificationRequest) => {
    const sentCode = await sendCode(phoneNumber);
    if (sentCode) onSent(sentCode);
  };

  return (
    <Form form={form} onSubmit={send} className="space-y-6">
      <TextField
        label="Phone number"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        placeholder="(206) 555-0123"
        aria-required
        autoFocus={previousNumber !== null}
        {...field('phoneNumber')}
      />
      <NotSentNotice kind="sms" />
      <div className="flex flex-col gap-3 sm:flex-row">
        <SubmitButton pendingText="Sending..." className="w-full sm:w-auto">
          Send Verification Code
        </SubmitButton>
        {onCancel && <CancelButton onCancel={onCancel} />}
      </div>
    </Form>
  );
}
