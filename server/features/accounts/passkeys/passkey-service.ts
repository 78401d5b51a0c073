import type {
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { CHALLENGE_EXPIRED, type PasskeyAssertion, type PasskeyRegistration } from '#shared/accounts/passkey';
import type { RequestSource } from '../../../platform/client-info/request-source.ts';
import type { AppContext } from '../../../platform/context.ts';
import { violatedUniqueConstraint } from '../../../platform/db/database-errors.ts';
import { AppError, ConflictError, NotFoundError, UnauthorizedError } from '../../../platform/errors.ts';
import { notifyOwner } from '../users/send-security-notice-job.ts';
import { findUser, getDisplayName, lockSignedInUser, type UserRow } from '../users/user-queries.ts';
import {
  consumeChallenge,
  countPasskeyUse,
  createChallenge,
  createPasskey,
  deletePasskey,
  findPasskey,
  listPasskeys,
  type PasskeyRow,
} from './passkey-queries.ts';
import { findRelyingParty, type RelyingParty } from './relying-party.ts';

const CHALLENGE_LIFETIME_MS = 5 * 60 * 1000;
const MAX_PASSKEYS = 20;

const NOT_POSSIBLE = 'Passkeys need a secure address (https) with a name, which this album does not have.';
const EXPIRED = 'That took too long. Please try again.';
const NOT_VERIFIED = 'This passkey could not be verified. Please try again, or use your password.';
const UNKNOWN = 'This passkey does not open an album here. It may have been removed.';
const OTHER_ACCOUNT = 'This passkey belongs to another account.';
const ALREADY_ADDED = 'This passkey was added already.';
const TOO_MANY = `An account can have ${MAX_PASSKEYS} passkeys. Please remove one first.`;

const DEFAULT_NAME = 'A passkey';

/** On demand, since it is a sixth of the work of a start. */
const webauthn = () => import('@simplewebauthn/server');

type Context = Pick<AppContext, 'baseUrl' | 'clock' | 'config' | 'db' | 'jobs' | 'mailer'>;

/** @throws ConflictError */
export async function startPasskeyRegistration(
  context: Context,
  user: UserRow,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const party = getRelyingParty(context);
  const existing = await listPasskeys(context.db, user.id);
  if (existing.length >= MAX_PASSKEYS) throw new ConflictError(TOO_MANY);
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: 'Mems Are Forever',
    rpID: party.id,
    userID: new TextEncoder().encode(user.id),
    userName: user.email,
    userDisplayName: getDisplayName(user),
    attestationType: 'none',
    timeout: CHALLENGE_LIFETIME_MS,
    excludeCredentials: existing.map((each) => ({
      id: each.credentialId,
      transports: toTransports(each.transports),
    })),
    // Discoverable, for a sign-in without an address, and verified (fingerprint, face or PIN), since it replaces both factors.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await storeChallenge(context, options.challenge, user.id);
  return options;
}

/** @throws ConflictError, AppError 409 for an expired challenge, UnauthorizedError */
export async function addPasskey(
  context: Context,
  user: UserRow,
  registration: PasskeyRegistration,
  source: RequestSource,
): Promise<PasskeyRow> {
  const { db } = context;
  const { now, device } = source;
  const party = getRelyingParty(context);
  const challenge = await readChallenge(registration.response.clientDataJSON);
  if (!challenge || !(await consumeChallenge(db, { challenge, ownerId: user.id, now })))
    throw new AppError(409, EXPIRED, { code: CHALLENGE_EXPIRED });
  const credential = await verifyRegistration(party, registration, challenge);
  try {
    return await db.transaction(async (tx) => {
      await lockSignedInUser(tx, user);
      if ((await listPasskeys(tx, user.id)).length >= MAX_PASSKEYS) throw new ConflictError(TOO_MANY);
      const passkey = await createPasskey(tx, {
        ownerId: user.id,
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: registration.response.transports ?? [],
        name: device ?? DEFAULT_NAME,
        createdAt: now,
      });
      await notifyOwner(context, tx, user, 'passkey-added', source);
      return passkey;
    });
  } catch (error) {
    if (violatedUniqueConstraint(error)) throw new ConflictError(ALREADY_ADDED);
    throw error;
  }
}

async function verifyRegistration(party: RelyingParty, registration: PasskeyRegistration, challenge: string) {
  const { verifyRegistrationResponse } = await webauthn();
  const { registrationInfo } = await verifyRegistrationResponse({
    response: {
      ...registration,
      response: {
        clientDataJSON: registration.response.clientDataJSON,
        attestationObject: registration.response.attestationObject,
      },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
  }).catch(throwNotVerified);
  if (!registrationInfo) throw new UnauthorizedError(NOT_VERIFIED);
  return registrationInfo.credential;
}

/** @throws NotFoundError */
export async function removePasskey(
  context: Context,
  user: UserRow,
  id: string,
  source: RequestSource,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    if (!(await deletePasskey(tx, user.id, id))) throw new NotFoundError();
    await notifyOwner(context, tx, user, 'passkey-removed', source);
  });
}

/** For signing in, or for proving again who one is. The browser offers all passkeys that it has for this host. */
export async function startPasskeyAssertion(
  context: Context,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID: getRelyingParty(context).id,
    userVerification: 'required',
    timeout: CHALLENGE_LIFETIME_MS,
  });
  await storeChallenge(context, options.challenge, null);
  return options;
}

/**
 * The owner of the passkey that signed. @param expectedUserId the only user who may own it; null: any
 * @throws AppError 401 for an expired challenge, UnauthorizedError
 */
export async function verifyPasskey(
  context: Context,
  assertion: PasskeyAssertion,
  expectedUserId: string | null,
): Promise<UserRow> {
  const { db, clock } = context;
  const party = getRelyingParty(context);
  const challenge = await readChallenge(assertion.response.clientDataJSON);
  const now = clock.now();
  // Whatever comes after, this challenge is used.
  if (!challenge || !(await consumeChallenge(db, { challenge, ownerId: null, now })))
    throw new AppError(401, EXPIRED, { code: CHALLENGE_EXPIRED });
  const passkey = await findPasskey(db, assertion.id);
  const user = passkey && (await findUser(db, passkey.ownerId));
  if (!passkey || !user) throw new UnauthorizedError(UNKNOWN);
  if (expectedUserId !== null && user.id !== expectedUserId) throw new UnauthorizedError(OTHER_ACCOUNT);
  const counter = await verifyAssertion(party, assertion, { challenge, passkey });
  if (!(await countPasskeyUse(db, passkey.id, { counter, now }))) throw new UnauthorizedError(NOT_VERIFIED);
  return user;
}

/** @returns the authenticator's new counter */
async function verifyAssertion(
  party: RelyingParty,
  assertion: PasskeyAssertion,
  { challenge, passkey }: { challenge: string; passkey: PasskeyRow },
): Promise<number> {
  const { userHandle, ...response } = assertion.response;
  const isOwner = userHandle === Buffer.from(passkey.ownerId).toString('base64url');
  const { verifyAuthenticationResponse } = await webauthn();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...assertion, response, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
    },
  }).catch(throwNotVerified);
  if (!verified || !isOwner) throw new UnauthorizedError(NOT_VERIFIED);
  return authenticationInfo.newCounter;
}

/** The library throws an Error for each kind of mismatch. */
function throwNotVerified(): never {
  throw new UnauthorizedError(NOT_VERIFIED);
}

function getRelyingParty(context: Context): RelyingParty {
  const party = findRelyingParty(context);
  if (!party) throw new ConflictError(NOT_POSSIBLE);
  return party;
}

async function storeChallenge(
  { db, clock }: Context,
  challenge: string,
  ownerId: string | null,
): Promise<void> {
  const expiresAt = new Date(clock.now().getTime() + CHALLENGE_LIFETIME_MS);
  await createChallenge(db, { challenge, ownerId, expiresAt });
}

/** Null for what is not the JSON of a browser. */
async function readChallenge(clientDataJSON: string): Promise<string | null> {
  const { decodeClientDataJSON } = await import('@simplewebauthn/server/helpers');
  try {
    const { challenge }: { challenge: unknown } = decodeClientDataJSON(clientDataJSON);
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

/** Browsers may know more kinds than the library. */
function toTransports(transports: string[]): AuthenticatorTransport[] {
  return transports as AuthenticatorTransport[];
}
