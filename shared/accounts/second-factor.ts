import * as z from 'zod/mini';

/** POST /api/login (202): the password was right, and POST /api/login/code must follow. */
export const SecondFactorNeeded = z.object({ secondFactor: z.literal(true) });
export type SecondFactorNeeded = z.infer<typeof SecondFactorNeeded>;

/** The error code (401) of POST /api/login/code when the password must be entered again. */
export const SIGN_IN_EXPIRED = 'sign-in-expired';

/** At or below this number, the owner is warned. */
export const FEW_RECOVERY_CODES = 3;

/** GET /api/user/second-factor */
export const SecondFactor = z.object({
  /** Since when signing in with the password needs a code; null: it does not. */
  totpSince: z.nullable(z.iso.datetime()),
  recoveryCodesLeft: z.int(),
});
export type SecondFactor = z.infer<typeof SecondFactor>;

/** POST /api/user/totp: a key for an authenticator app, not in use until POST /api/user/totp/confirm. */
export const TotpSetup = z.object({
  /** Base32 */
  secret: z.string(),
  /** otpauth://, for a QR code */
  uri: z.string(),
});
export type TotpSetup = z.infer<typeof TotpSetup>;

const code = z
  .string({ error: 'Please enter your code' })
  .check(
    z.trim(),
    z.minLength(1, { error: 'Please enter your code' }),
    z.maxLength(100, { error: 'This code is too long' }),
  );

/** POST /api/login/code (also a recovery code), POST /api/user/totp/confirm */
export const CodeRequest = z.object({ code });
export type CodeRequest = z.infer<typeof CodeRequest>;

/** The only response that has them. */
export const RecoveryCodes = z.object({ codes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;
