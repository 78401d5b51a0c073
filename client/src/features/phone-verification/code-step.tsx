import type { ClipboardEvent } from 'react';
import * as z from 'zod/mini';
import {
  toDigits,
  VERIFICATION_CODE_LENGTH,
  VERIFICATION_CODE_LIFETIME_MINUTES,
  VerifyPhoneRequest,
} from '#shared/text/phone';
import { useZodForm } from '../../lib/use-zod-form.ts';
import { TextField } from '../../ui/forms/field.tsx';
import { CancelButton, Form, SubmitButton } from '../../ui/forms/form.tsx';
import { showSuccess } from '../../ui/toasts/toast-store.ts';
import { NotSentNotice } from '../app-config/not-sent-notice.tsx';
import { useVerifyPhone } from './phone-api.ts';
import { ResendCode } from './resend-code.tsx';
import type { SentCode } from './use-send-verification-code.ts';

const CodeForm = z.pick(VerifyPhoneRequest, { code: true });

interface CodeStepProps {
  sentCode: SentCode;
  onResent: (sentCode: SentCode) => void;
  onChangeNumber: () => void;
  onVerified: () => void;
}

export function CodeStep({ sentCode, onResent, onChangeNumber, onVerified }: CodeStepProps) {
  const { form, field } = useZodForm(CodeForm, { code: '' });
  const { isSubmitted } = form.formState;
  const { mutateAsync: verifyPhone } = useVerifyPhone();
  const verify = async ({ code }: z.infer<typeof CodeForm>) => {
    await verifyPhone({ phoneNumber: sentCode.sentTo, code });
    showSuccess('Phone verified successfully');
    onVerified();
  };
  /** maxLength would truncate a code that is pasted with spaces or other text. */
  const pasteDigits = (event: ClipboardEvent<HTMLInputElement>) => {
    event.preventDefault();
    const digits = toDigits(event.clipboardData.getData('text')).slice(0, VERIFICATION_CODE_LENGTH);
    form.setValue('code', digits, { shouldValidate: isSubmitted });
  };

  return (
    <Form
      form={form}
      onSubmit={verify}
      errorToast={['Invalid code', 'Please check your code and try again']}
      className="space-y-6"
    >
      <p className="text-muted">
        {sentCode.message} The code works for {VERIFICATION_CODE_LIFETIME_MINUTES} minutes.
      </p>
      <NotSentNotice kind="sms" />
      <TextField
        label="Verification code"
        type="text"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={VERIFICATION_CODE_LENGTH}
        aria-required
        autoFocus
        className="max-w-60 [&_input]:text-lead [&_input]:tracking-[0.35em] [&_input]:tabular-nums"
        onPaste={pasteDigits}
        {...field('code')}
      />
      <div className="flex flex-col gap-3 sm:flex-row">
        <SubmitButton pendingText="Verifying...">Verify</SubmitButton>
        <CancelButton onCancel={onChangeNumber}>Change Phone Number</CancelButton>
      </div>
      <ResendCode sentCode={sentCode} onResent={onResent} />
    </Form>
  );
}
