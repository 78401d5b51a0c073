import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { apiPostEmpty } from '../../lib/api/api-client.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { CHECK_CONNECTION, showError } from '../../ui/toasts/show-error.ts';
import { usePasskeys } from './passkey-api.ts';
import { PasskeyError, usePasskeyObstacle } from './passkey-support.ts';

/** Confirms the identity by a passkey instead of the password. Renders nothing for users without one. */
export function PasskeyConfirmation({ onConfirmed }: { onConfirmed: () => void }) {
  const obstacle = usePasskeyObstacle();
  const { data: passkeys = [] } = usePasskeys();
  const [isPending, setPending] = useState(false);
  const confirm = async () => {
    setPending(true);
    try {
      const { askForPasskey } = await import('./passkey-ceremonies.ts');
      await apiPostEmpty('/api/session/proof/passkey', await askForPasskey());
      onConfirmed();
    } catch (error) {
      const ownMessage = error instanceof PasskeyError ? error.message : undefined;
      showError(error, 'Not confirmed', ownMessage ?? CHECK_CONNECTION);
    }
    setPending(false);
  };
  if (obstacle !== null || passkeys.length === 0) return null;
  return (
    <Button
      variant="secondary"
      className="w-full"
      onClick={() => void confirm()}
      isPending={isPending}
      pendingText="Waiting for your passkey..."
    >
      <KeyRound />
      Use a passkey
    </Button>
  );
}
