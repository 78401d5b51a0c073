import * as z from 'zod/mini';

export const VERIFICATION_CODE_LENGTH = 6;
export const VERIFICATION_CODE_LIFETIME_MINUTES = 10;

/** A repeated request for the same number within this time sends no SMS. */
export const RESEND_AFTER_SECONDS = 30;

const NUMBER_IS_MISSING = 'Please enter your phone number';
const CODE_IS_MISSING = `Please enter the ${VERIFICATION_CODE_LENGTH}-digit code`;

/** With brackets and spaces. */
const MAX_NUMBER_LENGTH = 50;

/** Without a leading plus, the number is one of the US or Canada, with or without its leading 1. */
export function toE164(typed: string): string {
  const text = withPlainDigits(typed).trim();
  const digits = toDigits(text);
  if (text.startsWith('+')) return `+${digits}`;
  return digits.startsWith('1') ? `+${digits}` : `+1${digits}`;
}

/** `+1 206 555 0123` */
export function formatPhoneNumber(e164: string): string {
  return e164.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '+1 $1 $2 $3');
}

export function toDigits(typed: string): string {
  return withPlainDigits(typed).replace(/\D/g, '');
}

/** Converts full-width digits and plus signs, and the digits of Arabic keyboards. */
function withPlainDigits(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
}

const phoneNumber = z.pipe(
  z.string({ error: NUMBER_IS_MISSING }).check(
    z.maxLength(MAX_NUMBER_LENGTH, { error: 'This is too long for a phone number' }),
    z.refine((typed) => toDigits(typed) !== '', { error: NUMBER_IS_MISSING }),
  ),
  z.transform(toE164),
);

const code = z.pipe(
  z.string({ error: CODE_IS_MISSING }).check(
    z.maxLength(MAX_NUMBER_LENGTH, { error: CODE_IS_MISSING }),
    z.refine((typed) => toDigits(typed).length === VERIFICATION_CODE_LENGTH, { error: CODE_IS_MISSING }),
  ),
  z.transform(toDigits),
);

export const SendVerificationRequest = z.object({ phoneNumber });
export type SendVerificationRequest = z.infer<typeof SendVerificationRequest>;

/** `message` says where the code was sent. */
export const SendVerificationResponse = z.object({ message: z.string() });

export const VerifyPhoneRequest = z.object({ phoneNumber, code });
export type VerifyPhoneRequest = z.infer<typeof VerifyPhoneRequest>;
