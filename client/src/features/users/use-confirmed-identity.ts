import { createContext, use, useCallback } from 'react';
import { IDENTITY_UNCONFIRMED } from '#shared/accounts/session';
import { ApiError } from '../../lib/api/api-client.ts';

/** Asks who the user is. `ConfirmIdentityProvider` has the dialog. */
export const ConfirmIdentityContext = createContext<(() => Promise<void>) | null>(null);

/**
 * Runs `act`, and once more after the user has confirmed who they are, if the server asks for it.
 * @throws CancelledError when the dialog was closed instead
 */
export function useConfirmedIdentity(): <T>(act: () => Promise<T>) => Promise<T> {
  const confirm = use(ConfirmIdentityContext);
  if (!confirm) throw new Error('useConfirmedIdentity needs a ConfirmIdentityProvider');
  return useCallback(
    async (act) => {
      try {
        return await act();
      } catch (error) {
        if (!(error instanceof ApiError) || error.body?.code !== IDENTITY_UNCONFIRMED) throw error;
        await confirm();
        return act();
      }
    },
    [confirm],
  );
}
