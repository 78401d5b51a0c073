import * as z from 'zod/mini';

/** A passkey as its owner sees it. */
export const Passkey = z.object({
  id: z.uuid(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.nullable(z.iso.datetime()),
});
export type Passkey = z.infer<typeof Passkey>;

export const PasskeyList = z.array(Passkey);

/** The error code (401, or 409 on registration) of a response to a challenge that is unknown, used or older than five minutes. */
export const CHALLENGE_EXPIRED = 'challenge-expired';

const nameError = { error: 'Please enter a name of at most 60 characters' };

/** PATCH /api/user/passkeys/:id */
export const RenamePasskeyRequest = z.object({
  name: z.string(nameError).check(z.trim(), z.minLength(1, nameError), z.maxLength(60, nameError)),
});
export type RenamePasskeyRequest = z.infer<typeof RenamePasskeyRequest>;

const invalid = { error: 'This is not the answer of a passkey' };
const base64url = (maxLength: number) =>
  z.string(invalid).check(z.regex(/^[\w-]+$/, invalid), z.maxLength(maxLength, invalid));

/** 1,023 bytes at most: https://www.w3.org/TR/webauthn-3/#credential-id */
const credentialId = base64url(1364);

/** POST /api/user/passkeys: a RegistrationResponseJSON without what the server does not use. */
export const PasskeyRegistration = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key', invalid),
  response: z.object(
    {
      clientDataJSON: base64url(10_000),
      attestationObject: base64url(100_000),
      transports: z.optional(
        z.array(z.string(invalid).check(z.maxLength(32, invalid)), invalid).check(z.maxLength(10, invalid)),
      ),
    },
    invalid,
  ),
});
export type PasskeyRegistration = z.infer<typeof PasskeyRegistration>;

/** POST /api/login/passkey, POST /api/session/proof/passkey: an AuthenticationResponseJSON, likewise. */
export const PasskeyAssertion = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key', invalid),
  response: z.object(
    {
      clientDataJSON: base64url(10_000),
      authenticatorData: base64url(10_000),
      signature: base64url(10_000),
      userHandle: z.optional(base64url(200)),
    },
    invalid,
  ),
});
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>;
