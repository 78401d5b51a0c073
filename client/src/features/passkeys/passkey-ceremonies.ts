import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import * as z from 'zod/mini';
import type { PasskeyAssertion, PasskeyRegistration } from '#shared/accounts/passkey';
import { apiPost } from '../../lib/api/api-client.ts';
import { PasskeyError } from './passkey-support.ts';

// Imported dynamically: the library is not part of a page's first load.

const CreationOptions = z.custom<PublicKeyCredentialCreationOptionsJSON>();
const RequestOptions = z.custom<PublicKeyCredentialRequestOptionsJSON>();

/** Asks the server for a challenge, which needs a confirmed identity. */
export function requestCreationOptions(): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return apiPost('/api/user/passkeys/options', {}, CreationOptions);
}

/** Opens the browser's dialog. @throws PasskeyError */
export async function createPasskey(
  optionsJSON: PublicKeyCredentialCreationOptionsJSON,
): Promise<PasskeyRegistration> {
  try {
    return await startRegistration({ optionsJSON });
  } catch (error) {
    const isKnown =
      error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED';
    throw new PasskeyError(
      isKnown
        ? 'This device has a passkey for your album already.'
        : 'It was canceled, took too long, or this device has no screen lock.',
      { cause: error },
    );
  }
}

/** Opens the browser's dialog. @throws PasskeyError, or ApiError without a challenge */
export async function askForPasskey(): Promise<PasskeyAssertion> {
  const optionsJSON = await requestAssertionOptions();
  try {
    return await startAuthentication({ optionsJSON });
  } catch (error) {
    throw new PasskeyError('No passkey was used. Please try again, or use your password.', { cause: error });
  }
}

/**
 * Offers passkeys among the suggestions of the field that has `autocomplete="… webauthn"`. Null in browsers that cannot, and
 * once it is aborted.
 */
export async function offerPasskeys(signal: AbortSignal): Promise<PasskeyAssertion | null> {
  if (!(await browserSupportsWebAuthnAutofill())) return null;
  const optionsJSON = await requestAssertionOptions();
  if (signal.aborted) return null;
  const cancel = () => WebAuthnAbortService.cancelCeremony();
  signal.addEventListener('abort', cancel);
  try {
    return await startAuthentication({ optionsJSON, useBrowserAutofill: true });
  } catch {
    return null;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function requestAssertionOptions(): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return apiPost('/api/login/passkey/options', {}, RequestOptions);
}
