import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { formatPhoneNumber, SendVerificationRequest } from '#shared/phone';
import { EMAIL_UNVERIFIED } from '#shared/user';
import { ApiError } from '../../lib/api-client.ts';
import { bindFields, showFieldErrors } from '../../lib/form-fields.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
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
  const form = useForm({
    resolver: zodResolver(SendVerificationRequest),
    defaultValues: { phoneNumber: previousNumber ? formatPhoneNumber(previousNumber) : '' },
  });
  const { isSubmitting } = form.formState;
  const { sendCode } = useSendVerificationCode((error) => {
    showFieldErrors(error, form);
    if (error instanceof ApiError && error.body?.code === EMAIL_UNVERIFIED) onEmailUnverified();
  });
  const send = form.handleSubmit(async ({ phoneNumber }) => {
    const sentCode = await sendCode(phoneNumber);
    if (sentCode) onSent(sentCode);
  });

  return (
    <form onSubmit={(event) => void send(event)} noValidate className="space-y-6">
      <TextField
        label="Phone number"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        placeholder="(206) 555-0123"
        aria-required
        autoFocus={previousNumber !== null}
        {...bindFields(form)('phoneNumber')}
      />
      <div className="flex flex-col gap-3 sm:flex-row">
        <Button type="submit" isPending={isSubmitting} pendingText="Sending..." className="w-full sm:w-auto">
          Send Verification Code
        </Button>
        {onCancel && (
          <Button variant="secondary" onClick={() => !isSubmitting && onCancel()}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}
