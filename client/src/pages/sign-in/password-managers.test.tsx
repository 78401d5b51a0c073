// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { useEffect, type ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { IDENTITY_UNCONFIRMED } from '#shared/accounts/session';
import { PASSWORD_NEEDED } from '#shared/accounts/user';
import { ApiError } from '../../lib/api/api-client.ts';
import { createQueryClient } from '../../lib/api/query-client.ts';
import { ResetPasswordPage } from '../emailed-links/reset-password-page.tsx';
import { VerifyEmailPage } from '../emailed-links/verify-email-page.tsx';
import { setUpComponents, showPage } from '../../testing/component.tsx';
import { emptyState } from '../../testing/fake-server/state/fake-state.ts';
import { TIMEOUT } from '../../testing/timeout.ts';
import { ConfirmIdentityProvider } from '../../features/sessions/confirm-identity.tsx';
import { PasswordForm } from '../../features/users/user-settings-forms.tsx';
import { useConfirmedIdentity } from '../../features/users/use-confirmed-identity.ts';

const { user } = emptyState();
const passwordNeeded = { message: 'Please enter the password', code: PASSWORD_NEEDED, email: user.email };
const RESPONSES: Record<string, { status: number; body: unknown }> = {
  '/api/user': { status: 200, body: user },
  '/api/user/verify-email': { status: 403, body: passwordNeeded },
  '/api/password/reset/preview': { status: 200, body: { email: user.email } },
};

setUpComponents();
beforeEach(() => {
  vi.stubGlobal('fetch', (path: string) => {
    const { status, body } = RESPONSES[path] ?? { status: 404, body: { message: 'Not found' } };
    return Promise.resolve(Response.json(body, { status }));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  window.location.hash = '';
});

it.each<[string, () => ReactNode, label: string]>([
  ['confirms an address', () => <VerifyEmailPage user={null} />, 'Password'],
  ['resets a password', () => <ResetPasswordPage />, 'New password'],
  ['changes a password', () => <PasswordForm user={user} />, 'Current password'],
  [
    'asks who it is',
    () => (
      <ConfirmIdentityProvider>
        <ChangesSomething />
      </ConfirmIdentityProvider>
    ),
    'Password',
  ],
])('a form that %s tells password managers whose password it is', async (_, render, label) => {
  window.location.hash = '#token';
  showPage(<QueryClientProvider client={createQueryClient(() => {})}>{render()}</QueryClientProvider>);
  const { form } = await screen.findByLabelText<HTMLInputElement>(label);
  await vi.waitFor(() => expect(usernameOf(form)?.value).toBe(user.email), TIMEOUT);
  const fields = [...(form?.querySelectorAll('input') ?? [])];
  expect(fields.indexOf(usernameOf(form) as HTMLInputElement)).toBe(0);
});

const usernameOf = (form: HTMLFormElement | null) =>
  form?.querySelector<HTMLInputElement>('input[autocomplete="username"]');

function ChangesSomething() {
  const confirmed = useConfirmedIdentity();
  useEffect(() => {
    const act = () =>
      Promise.reject(new ApiError(403, JSON.stringify({ message: '', code: IDENTITY_UNCONFIRMED })));
    confirmed(act).catch(() => {});
  }, [confirmed]);
  return null;
}
