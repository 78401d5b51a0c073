import { KeyRound } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import type { PasskeyAssertion } from '#shared/accounts/passkey';
import { Button } from '../../ui/buttons/button.tsx';

/** The server's challenges are valid for five minutes. */
const RENEWAL_INTERVAL_MS = 4 * 60 * 1000;

interface PasskeySignInProps {
  logIn: (assertion: PasskeyAssertion) => Promise<unknown>;
  onSignedIn: () => void;
  onError: (error: unknown) => void;
}

/** Offers passkeys by a button and in the suggestions of the email field, where nothing prevents them. */
export function PasskeySignIn({ logIn, onSignedIn, onError }: PasskeySignInProps) {
  const [isPending, setPending] = useState(false);
  const [renewals, setRenewals] = useState(0);

  const signIn = async (getAssertion: () => Promise<PasskeyAssertion>) => {
    setPending(true);
    try {
      await logIn(await getAssertion());
      onSignedIn();
    } catch (error) {
      onError(error);
    }
    setPending(false);
  };
  const ask = async () => (await import('./passkey-ceremonies.ts')).askForPasskey();
  const acceptOffer = useEffectEvent((assertion: PasskeyAssertion) =>
    signIn(() => Promise.resolve(assertion)),
  );
  useEffect(() => {
    if (isPending) return;
    const offering = new AbortController();
    // Without the suggestions, there is still the button.
    offer(offering.signal)
      .then((assertion) => assertion && acceptOffer(assertion))
      .catch(() => undefined);
    const timer = setTimeout(() => setRenewals((count) => count + 1), RENEWAL_INTERVAL_MS);
    return () => {
      clearTimeout(timer);
      offering.abort();
    };
  }, [isPending, renewals]);

  return (
    <Button
      variant="secondary"
      className="w-full"
      onClick={() => void signIn(ask)}
      isPending={isPending}
      pendingText="Waiting for your passkey..."
    >
      <KeyRound />
      Sign in with a passkey
    </Button>
  );
}

async function offer(signal: AbortSignal): Promise<PasskeyAssertion | null> {
  await untilPageLoaded();
  const { offerPasskeys } = await import('./passkey-ceremonies.ts');
  return signal.aborted ? null : offerPasskeys(signal);
}

async function untilPageLoaded(): Promise<void> {
  if (document.readyState !== 'complete')
    await new Promise((resolve) => window.addEventListener('load', resolve, { once: true }));
}
