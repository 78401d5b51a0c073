import { emptyState } from '../../../client/src/testing/fake-server/state/fake-state.ts';
import { expect, test } from '../fixtures.ts';

interface Form {
  path: string;
  isSignedIn?: boolean;
  /** The tab or button that shows the form. */
  open?: string;
  submit: string;
  /** Of the fields, by label. */
  filled?: Record<string, string>;
  texts: string[];
}

const INVALID_EMAIL = 'Please enter a valid email address';
const SHORT_PASSWORD = 'Password must be at least 6 characters';

/** Each form's messages come from the shared schema of its request. */
const forms: Record<string, Form> = {
  'sign-in': { path: '/auth', isSignedIn: false, submit: 'Sign In', texts: [INVALID_EMAIL, SHORT_PASSWORD] },
  pet: {
    path: '/pets',
    open: 'Add New Pet',
    submit: 'Add Pet',
    filled: { Name: '   ' },
    texts: ['Pet name is required', 'Species is required'],
  },
  contact: {
    path: '/contacts',
    open: 'Add Contact',
    submit: 'Save Contact',
    texts: ['Name is required', 'Please enter a valid email'],
  },
  'phone number': {
    path: '/phone-verification',
    submit: 'Send Verification Code',
    texts: ['Please enter your phone number'],
  },
  names: {
    path: '/account',
    submit: 'Save names',
    filled: { Username: 'x' },
    texts: ['Username must be at least 3 characters'],
  },
  invitation: {
    path: '/admin',
    open: 'Invite someone',
    submit: 'Create invitation',
    filled: { Email: 'x' },
    texts: [INVALID_EMAIL],
  },
};

for (const [name, { path, isSignedIn = true, open, submit, filled = {}, texts }] of Object.entries(forms)) {
  test(`the form of ${name} names what is wrong and sends nothing`, async ({ page, server }) => {
    const { user } = emptyState();
    Object.assign(server.state, { isSignedIn, user: { ...user, isAdmin: true } });
    await page.goto(path);
    if (open)
      await page
        .getByRole('tab', { name: open })
        .or(page.getByRole('button', { name: open }))
        .first()
        .click();
    for (const [label, value] of Object.entries(filled)) await page.getByLabel(label).first().fill(value);
    await page.getByRole('button', { name: submit, exact: true }).click();
    for (const text of texts) await expect(page.getByText(text)).toBeVisible();
    // The first wrong field.
    await expect(page.locator('[aria-invalid=true]').first()).toBeFocused();
    expect(server.requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
  });
}
