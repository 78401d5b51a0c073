import { expect, it } from 'vitest';
import { emptyState } from '../../testing/fake-server/state/fake-state.ts';
import { renderMarkup } from '../../testing/render-markup.tsx';
import { ConfirmProvider } from '../../ui/dialogs/confirm-provider.tsx';
import { AccountPage } from './account-page.tsx';

it.each([true, false])('asks to verify a number only if it is not verified: %s', (phoneVerified) => {
  const user = { ...emptyState().user, phoneNumber: '+15551234567', phoneVerified };
  const markup = renderMarkup(
    <ConfirmProvider>
      <AccountPage user={user} />
    </ConfirmProvider>,
  );
  expect(markup).toContain('+1 555 123 4567');
  expect(markup.includes('Verify your number')).toBe(!phoneVerified);
});
