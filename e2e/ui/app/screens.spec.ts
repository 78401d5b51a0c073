import type { Page } from '@playwright/test';
import { ADMINISTRATOR_TOKEN } from '../../../client/src/testing/fake-server/routes/admin-routes.ts';
import { emptyState, NOW, type FakeState } from '../../../client/src/testing/fake-server/state/fake-state.ts';
import { fullState } from '../../../client/src/testing/fake-server/state/full-state.ts';
import { fillSignIn } from '../../support/accounts/users.ts';
import { expectNoViolations } from '../../support/axe.ts';
import { desktop, expect, phone, test } from '../fixtures.ts';

type Name = 'full' | 'empty' | 'failing';
type States = Partial<Record<Name, string | RegExp>>;

interface Screen {
  path: string;
  /** A text that the screen shows in each state. */
  states: States;
  /** In each state, besides what the state holds. */
  changes?: Partial<FakeState>;
  /** To the part of the screen that is checked. */
  open?: (page: Page) => Promise<void>;
  /** Of a tile: another number of columns renders its row again. */
  isClosedByResizing?: boolean;
}

const signedOut = { isSignedIn: false };
const asAdministrator = { user: { ...emptyState().user, isAdmin: true } };
const administratorInvitation = {
  id: '01900000-0000-7000-8000-000000000001',
  email: null,
  url: `http://localhost/auth?invite=${ADMINISTRATOR_TOKEN}`,
  createdBy: 'ada',
  createdAt: '2026-05-15T10:00:00.000Z',
  expiresAt: '2026-05-20T10:00:00.000Z',
};
const NOT_LOADED = 'could not be loaded';

const screens: Record<string, Screen> = {
  landing: {
    path: '/',
    changes: signedOut,
    states: { full: 'Get Started', failing: 'Get Started' },
  },
  'landing by invitation': {
    path: '/',
    changes: { ...signedOut, config: { ...emptyState().config, registration: 'invite' } },
    states: { full: 'This album is by invitation' },
  },
  'sign-in': {
    path: '/auth',
    changes: signedOut,
    states: { full: 'Open your album', failing: 'Open your album' },
  },
  'sign-up': {
    path: '/auth',
    changes: signedOut,
    states: { full: 'Start your album' },
    open: (page) => page.getByRole('tab', { name: 'Sign Up' }).click(),
  },
  home: {
    path: '/',
    states: {
      // First: the steps stay gone in a browser that has seen the album full.
      empty: 'Tell us who it is about',
      full: '30 memories captured',
      failing: `Your memories ${NOT_LOADED}`,
    },
  },
  gallery: {
    path: '/gallery',
    states: {
      full: 'Snow',
      empty: 'Upload your first memory to get started!',
      failing: `Your memories ${NOT_LOADED}`,
    },
  },
  'gallery as a list': { path: '/gallery?view=list', states: { full: 'Snow' } },
  timeline: {
    path: '/timeline',
    states: {
      full: 'May 2026',
      empty: 'Upload your first memory to start your timeline!',
      failing: `Your timeline ${NOT_LOADED}`,
    },
  },
  'flipbook picker': {
    path: '/gallery',
    states: { full: 'Select All (30)', failing: `Your memories ${NOT_LOADED}` },
    open: (page) => press(page, 'Create Flipbook'),
  },
  caricatures: {
    path: '/gallery?tab=caricatures',
    states: {
      full: 'The AI service declined this photo',
      empty: 'No Caricatures Yet',
      failing: `Your caricatures ${NOT_LOADED}`,
    },
  },
  pets: {
    path: '/pets',
    states: { full: 'Dachshund', empty: 'No pets yet', failing: `Your pets ${NOT_LOADED}` },
  },
  contacts: {
    path: '/contacts',
    states: { full: 'Oma Ingrid', empty: 'No contacts yet', failing: `Your contacts ${NOT_LOADED}` },
  },
  trash: {
    path: '/gallery/deleted',
    states: {
      full: 'Deleted on purpose',
      empty: 'No deleted memories',
      failing: `Your deleted memories ${NOT_LOADED}`,
    },
  },
  account: {
    path: '/account',
    states: {
      full: 'Firefox on Windows',
      empty: 'Nothing shared yet',
      failing: `Your devices ${NOT_LOADED}`,
    },
  },
  'phone verification': {
    path: '/phone-verification',
    states: { full: 'Phone Verified!', empty: 'We text a', failing: 'We text a' },
  },
  'add many': {
    path: '/add-many',
    states: { full: '12 photos', empty: 'Choose photos', failing: 'Choose photos' },
  },
  admin: {
    path: '/admin',
    changes: asAdministrator,
    states: { full: 'person91@', empty: 'Just you so far', failing: `The people ${NOT_LOADED}` },
  },
  'gallery without a match': {
    path: `/gallery?q=${'zebra'.repeat(30)}`,
    states: { full: 'No memories found' },
  },
  'selected memories': {
    path: '/gallery',
    states: { full: '1 selected' },
    open: async (page) => {
      await press(page, 'Select');
      await press(page, 'Select Snow');
    },
  },
  'menu of a memory': {
    path: '/gallery',
    states: { full: /^Delete$/ },
    open: (page) => press(page, 'More actions for Snow'),
    isClosedByResizing: true,
  },
  'shared memory': {
    path: '/gallery',
    states: { full: 'Anyone with this link can see' },
    open: (page) => press(page, 'Open At the lake'),
  },
  'opened memory of a pet with a long name': {
    path: '/gallery',
    states: { full: 'Featured Pet' },
    open: (page) => press(page, /^Open Donau/),
  },
  lightbox: {
    path: '/gallery',
    states: { full: 'Snow' },
    open: async (page) => {
      await press(page, 'Open Snow');
      await press(page, 'View Snow full screen');
    },
  },
  'edited memory': {
    path: '/gallery',
    states: { full: 'Tags' },
    open: async (page) => {
      await press(page, 'Open At the lake');
      await press(page, 'Edit Memory');
    },
  },
  'sign-in with errors': {
    path: '/auth',
    changes: signedOut,
    states: { full: 'Please enter a valid email address' },
    open: (page) => press(page, 'Sign In'),
  },
  'form of a pet, with errors': {
    path: '/pets',
    states: { full: 'Pet name is required' },
    open: async (page) => {
      await press(page, 'Add New Pet');
      await press(page, 'Add Pet');
    },
  },
  'pet with its text and form open': {
    path: '/pets',
    states: { full: 'The picture will be removed when you save.' },
    open: async (page) => {
      await press(page, 'Read more');
      await press(page, 'Edit Rex');
      await press(page, 'Remove');
    },
  },
  'pet with a long name': {
    path: '/pets',
    states: { full: 'Edit Pet' },
    open: (page) => press(page, /^Edit Donau/),
  },
  'deletion of a pet': {
    path: '/pets',
    states: { full: 'Are you sure' },
    open: (page) => press(page, /^Delete Donau/),
  },
  'form of a contact, with errors': {
    path: '/contacts',
    states: { full: 'Name is required' },
    open: async (page) => {
      await press(page, 'Add Contact');
      await press(page, 'Save Contact');
    },
  },
  'phone verification, with an error': {
    path: '/phone-verification',
    states: { empty: 'Please enter your phone number' },
    open: (page) => press(page, 'Send Verification Code'),
  },
  'code of the phone, with an error': {
    path: '/phone-verification',
    states: { empty: 'Please enter the 6-digit code' },
    open: async (page) => {
      await page.getByLabel('Phone number').fill('206 555 0123');
      await press(page, 'Send Verification Code');
      await press(page, 'Verify');
    },
  },
  'removal of the phone': {
    path: '/phone-verification',
    states: { full: 'Are you sure you want to remove this number?' },
    open: (page) => press(page, 'Remove number'),
  },
  'unconfirmed address': {
    path: '/account',
    changes: { user: { ...emptyState().user, emailVerified: false } },
    states: { empty: 'Please confirm your email address' },
  },
  'setup of an authenticator app, with an error': {
    path: '/account',
    states: { empty: 'This is not the code that your app should show' },
    open: async (page) => {
      await press(page, 'Set up an authenticator app');
      await page.getByLabel('Code that the app shows now').fill('000000');
      await page.keyboard.press('Enter');
    },
  },
  'recovery codes': {
    path: '/account',
    states: { empty: 'I have saved them' },
    open: async (page) => {
      await press(page, 'Set up an authenticator app');
      await page.getByLabel('Code that the app shows now').fill(emptyState().code);
      await page.keyboard.press('Enter');
    },
  },
  'code of the authenticator app': {
    path: '/auth',
    changes: { ...signedOut, secondFactor: { totpSince: NOW, recoveryCodesLeft: 2 } },
    states: { empty: 'Enter your code' },
    open: enterPassword,
  },
  'recovery code at sign-in': {
    path: '/auth',
    changes: { ...signedOut, secondFactor: { totpSince: NOW, recoveryCodesLeft: 2 } },
    states: { empty: 'Use your authenticator app instead' },
    open: async (page) => {
      await enterPassword(page);
      await press(page, 'Use a recovery code instead');
    },
  },
  'new name of a passkey': {
    path: '/account',
    states: { full: 'Rename this passkey' },
    open: (page) => press(page, /^Rename WWW/),
  },
  'removal of a passkey': {
    path: '/account',
    states: { full: 'Cancel' },
    open: (page) => press(page, /^Remove WWW/),
  },
  'question for the password': {
    path: '/account',
    changes: { isIdentityUnconfirmed: true },
    states: { empty: 'Is it you?' },
    open: (page) => press(page, 'Set up an authenticator app'),
  },
  'confirmation of a new address': {
    path: '/confirm-email#token',
    states: { full: 'Confirm your new address' },
  },
  'securing the account': { path: '/secure-account#token', states: { full: 'This was not you?' } },
  'return to an old address': { path: '/undo-email#token', states: { full: 'Keep your email address' } },
  'new email address, with an error': {
    path: '/account',
    states: { empty: 'Please enter a valid email address' },
    open: async (page) => {
      await press(page, 'Change email');
      await press(page, 'Send link');
    },
  },
  'password link for a person': {
    path: '/admin',
    changes: asAdministrator,
    states: { full: 'New password link' },
    open: (page) => manage(page, 'New password link'),
  },
  'storage limit of a person': {
    path: '/admin',
    changes: asAdministrator,
    states: { full: 'Storage limit' },
    open: (page) => manage(page, 'Storage limit'),
  },
  'menu of a person': {
    path: '/admin',
    changes: asAdministrator,
    states: { full: 'Storage limit' },
    open: (page) => press(page, 'Manage person91'),
  },
  invitation: {
    path: '/admin',
    changes: asAdministrator,
    states: { full: 'Copy link' },
    open: async (page) => {
      await press(page, 'Invite someone');
      await press(page, 'Create invitation');
    },
  },
  'an invitation for the administrator': {
    path: `/auth?invite=${ADMINISTRATOR_TOKEN}`,
    changes: { ...signedOut, invitations: [administratorInvitation] },
    states: { full: 'This link makes one account the administrator' },
  },
  'becoming the administrator': {
    path: `/auth?invite=${ADMINISTRATOR_TOKEN}`,
    changes: { user: emptyState().user, invitations: [administratorInvitation] },
    states: { full: 'Become the administrator?', failing: 'You are not the administrator yet' },
  },
  'forgotten password': {
    path: '/forgot-password',
    changes: signedOut,
    states: { full: 'Forgot your password?' },
  },
  'new password, with an error': {
    path: '/reset-password#token',
    changes: signedOut,
    states: { full: 'Password must be at least 6 characters' },
    open: (page) => press(page, 'Save password'),
  },
  'expired link': {
    path: '/verify-email#wrong',
    changes: signedOut,
    states: { full: 'This link no longer works' },
  },
  'not found': { path: '/nowhere', states: { full: '404 Page Not Found', empty: '404 Page Not Found' } },
};

// The width decides about the layout, so one page is checked at both. With a mouse, not by touch: what it points at has other colors.
test.use({ viewport: phone.viewport, isMobile: true });

for (const [name, screen] of Object.entries(screens)) {
  test(`${name} has no violations of axe and fits`, async ({ page, server }) => {
    for (const [state, text] of Object.entries(screen.states) as [Name, string | RegExp][])
      await test.step(state, async () => {
        const changes = { origin: server.state.origin, ...screen.changes };
        server.state = state === 'full' ? fullState(changes) : emptyState(changes);
        server.failing = state === 'failing' ? { calls: /^GET \/api\/(?!user$)/, status: 500 } : null;
        await check(page, screen, text);
      });
  });
}

/** One page load for both widths and themes. */
async function check(page: Page, screen: Screen, text: string | RegExp): Promise<void> {
  const shown = page.getByText(text).filter({ visible: true }).first();
  await test.step('on a phone', async () => {
    await page.setViewportSize(phone.viewport);
    await page.goto('about:blank');
    await page.goto(screen.path);
    await screen.open?.(page);
    await expect(shown).toBeVisible();
    await expectNoViolations(page);
    expect(await smallTargets(page), 'controls smaller than 44 px').toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await overflow(page), 'horizontal scrolling').toBe(0);
  });
  await test.step('on a desktop', async () => {
    await page.setViewportSize(desktop.viewport);
    if (screen.isClosedByResizing) await screen.open?.(page);
    await expect(shown).toBeVisible();
    await expectNoViolations(page);
    expect(await overflow(page), 'horizontal scrolling').toBe(0);
  });
}

/** The first of several with this name. */
function press(page: Page, name: string | RegExp): Promise<void> {
  return page.getByRole('button', { name, exact: true }).first().click();
}

/** Of an account with an authenticator app. */
async function enterPassword(page: Page): Promise<void> {
  const { user, password } = emptyState();
  await fillSignIn(page, { email: user.email, password });
  await page.keyboard.press('Enter');
}

/** Opens a dialog of the administrator. */
async function manage(page: Page, name: string): Promise<void> {
  await press(page, 'Manage person91');
  await page.getByRole('menuitem', { name }).click();
  await expect(page.getByRole('dialog', { name })).toBeVisible();
}

/** In pixels. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Controls that a finger could miss. Links in a sentence may be smaller (WCAG 2.5.8). */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isInSentence = (element: Element) =>
      element.matches('a') && getComputedStyle(element).display === 'inline';
    const controls = document.querySelectorAll(
      'a, button, input, select, textarea, summary, [role=menuitem]',
    );
    return [...controls]
      .filter(
        (element) => element.checkVisibility() && !isInSentence(element) && !element.closest('.sr-only'),
      )
      .flatMap((element) => {
        const { width, height } = (element.closest('label') ?? element).getBoundingClientRect();
        // Within the border of a segmented control.
        const min = element.matches('[type=radio]') ? 42 : 44;
        if (width <= 1 || (Math.round(width) >= min && Math.round(height) >= min)) return [];
        return `${element.outerHTML.slice(0, 200)} ${width} × ${height}`;
      });
  });
}
