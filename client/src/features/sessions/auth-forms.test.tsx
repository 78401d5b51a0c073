// @vitest-environment jsdom
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SIGN_IN_SLOWED } from '#shared/accounts/session';
import { createQueryClient } from '../../lib/api/query-client.ts';
import { setUpComponents, showPage } from '../../testing/component.tsx';
import { SignInForm, SignUpForm } from './auth-forms.tsx';

/** The bodies of requests. */
let sent: unknown[];

setUpComponents();
beforeEach(() => {
  sent = [];
  vi.stubGlobal('fetch', (_path: string, { method = 'GET', body }: RequestInit = {}) => {
    if (method === 'POST') sent.push(JSON.parse(body as string));
    // No answer: the request stays pending.
    return new Promise(() => {});
  });
});
afterEach(() => vi.unstubAllGlobals());

function showForm(form: ReactNode) {
  return showPage(<QueryClientProvider client={createQueryClient(() => {})}>{form}</QueryClientProvider>);
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const fill = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });

it('sign-in validates its fields', async () => {
  const { user } = showForm(<SignInForm />);
  expect(field('Password').type).toBe('password');
  expect(field('Password').autocomplete).toBe('current-password');
  await user.click(screen.getByRole('button', { name: 'Sign In' }));
  expect(screen.getByText('Please enter a valid email address')).toBeTruthy();
  expect(screen.getByText('Password must be at least 6 characters')).toBeTruthy();
  expect(document.activeElement).toBe(field('Email'));
  expect(sent).toEqual([]);
});

it('sign-up validates its fields, leaves empty names out, and is sent once for a double click', async () => {
  const { user } = showForm(<SignUpForm />);
  await user.click(screen.getByRole('button', { name: 'Create account' }));
  expect(screen.getByText('Username must be at least 3 characters')).toBeTruthy();
  expect(screen.getByText('Please enter a valid email address')).toBeTruthy();
  expect(screen.getByText('Password must be at least 6 characters')).toBeTruthy();
  expect(document.activeElement).toBe(field('Username'));
  expect(sent).toEqual([]);
  const account = { username: 'mara', email: 'mara@example.com', password: 'warm paw prints' };
  fill('Username', account.username);
  fill('Email', account.email);
  fill('Password', account.password);
  await user.dblClick(screen.getByRole('button', { name: 'Create account' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Creating account...' })).toBeTruthy());
  await user.click(screen.getByRole('button', { name: 'Creating account...' }));
  expect(sent).toEqual([account]);
});

it('sign-in offers the link by email while many people guess', async () => {
  const message = 'Too many people try to sign in to this account.';
  const body = JSON.stringify({ message, code: SIGN_IN_SLOWED });
  const headers = { 'Content-Type': 'application/json' };
  vi.stubGlobal('fetch', (_path: string, { method = 'GET' }: RequestInit = {}) =>
    method === 'POST' ? Promise.resolve(new Response(body, { status: 429, headers })) : new Promise(() => {}),
  );
  const { user } = showForm(<SignInForm />);
  expect(screen.queryByRole('link', { name: 'Get a link by email' })).toBeNull();
  fill('Email', 'mara@example.com');
  fill('Password', 'warm paw prints');
  await user.click(screen.getByRole('button', { name: 'Sign In' }));
  const link = await screen.findByRole('link', { name: 'Get a link by email' });
  expect(link.getAttribute('href')).toBe('/forgot-password');
});
