// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AddContactForm } from '../../features/contacts/contact-form.tsx';
import { AllowedSendersSection } from '../../features/inbound-email/allowed-senders.tsx';
import { InvitationDialog } from '../../features/invitations/invitation-dialog.tsx';
import { SignInForm, SignUpForm } from '../../features/sessions/auth-forms.tsx';
import { ConfirmIdentityProvider } from '../../features/sessions/confirm-identity.tsx';
import { EmailSettings } from '../../features/users/email-settings.tsx';
import { createQueryClient } from '../../lib/api/query-client.ts';
import { setUpComponents, showPage } from '../../testing/component.tsx';
import { emptyState } from '../../testing/fake-server/state/fake-state.ts';
import { TIMEOUT } from '../../testing/timeout.ts';
import { ForgotPasswordPage } from './forgot-password-page.tsx';

const { user } = emptyState();
const nothing = () => {};

interface EmailForm {
  render: () => ReactNode;
  label: string | RegExp;
  submit: string;
  /** Opens the form. */
  open?: string;
  /** The other fields. */
  fill?: Record<string, string>;
}

const FORMS: Record<string, EmailForm> = {
  'sign up': {
    render: () => <SignUpForm />,
    label: 'Email',
    submit: 'Create account',
    fill: { Username: 'mara', Password: 'warm paw prints' },
  },
  'sign in': {
    render: () => <SignInForm />,
    label: 'Email',
    submit: 'Sign In',
    fill: { Password: 'warm paw prints' },
  },
  'ask for another password': {
    render: () => <ForgotPasswordPage user={null} />,
    label: 'Email',
    submit: 'Send link',
  },
  'add a contact': {
    render: () => <AddContactForm onClose={nothing} />,
    label: 'Email',
    submit: 'Save Contact',
    fill: { Name: 'Oma' },
  },
  'invite someone': {
    render: () => <InvitationDialog isOpen onClose={nothing} />,
    label: /^Email/,
    submit: 'Create invitation',
  },
  'change an address': {
    render: () => (
      <ConfirmIdentityProvider>
        <EmailSettings user={user} />
      </ConfirmIdentityProvider>
    ),
    label: 'New email',
    submit: 'Send link',
    open: 'Change email',
  },
  'allow a sender': {
    render: () => <AllowedSendersSection user={user} />,
    label: 'Email address',
    submit: 'Allow sender',
  },
};

const ADDRESSES = [
  ['tom&jerry@home.example', 'tom&jerry@home.example'],
  ['oma@пример.рф', 'oma@xn--e1afmkfd.xn--p1ai'],
  ["o'brien+rex@example.com", "o'brien+rex@example.com"],
  [' opa@bücher.example ', 'opa@xn--bcher-kva.example'],
] as const;

/** The bodies of requests. */
let sent: string[];

setUpComponents();
beforeEach(() => {
  sent = [];
  vi.stubGlobal('fetch', (path: string, { method = 'GET', body }: RequestInit = {}) => {
    if (typeof body === 'string') sent.push(body);
    if (method !== 'GET') return new Promise(nothing);
    const json = path.endsWith('allowed-senders') ? { addresses: [] } : { pending: null };
    return Promise.resolve(Response.json(json));
  });
});
afterEach(() => vi.unstubAllGlobals());

describe.each(Object.entries(FORMS))('the form to %s', (_, { render, label, submit, open, fill = {} }) => {
  it.each(ADDRESSES)('accepts %j', async (typed, address) => {
    const { user: person } = showPage(
      <QueryClientProvider client={createQueryClient(nothing)}>{render()}</QueryClientProvider>,
    );
    if (open) await person.click(await screen.findByRole('button', { name: open }));
    for (const [name, value] of Object.entries(fill))
      fireEvent.change(screen.getByLabelText(name), { target: { value } });
    fireEvent.change(await screen.findByLabelText(label), { target: { value: typed } });
    await person.click(screen.getByRole('button', { name: submit }));
    await vi.waitFor(() => expect(sent).toHaveLength(1), TIMEOUT);
    expect(JSON.stringify(JSON.parse(sent[0] ?? ''))).toContain(JSON.stringify(address));
  });
});
