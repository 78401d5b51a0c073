import { Button } from '../../ui/buttons/button.tsx';
import { CHECK_CONNECTION, showError } from '../../ui/toasts/show-error.ts';
import { useOidcName, useStartOidc } from './oidc-api.ts';

/** Below the form for the password. Renders nothing without a provider. */
export function OidcButton() {
  const name = useOidcName();
  const start = useStartOidc();
  if (name === null) return null;
  return (
    <Button
      variant="secondary"
      className="mt-3 w-full py-2 wrap-anywhere whitespace-normal"
      onClick={() => start.mutate(undefined, { onError: showStartError })}
      isPending={start.isPending}
      pendingText={`Opening ${name}...`}
    >
      Sign in with {name}
    </Button>
  );
}

export function showStartError(error: unknown): void {
  showError(error, 'Not signed in', CHECK_CONNECTION);
}
