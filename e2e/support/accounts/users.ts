import { createHmac, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hash } from '@node-rs/argon2';
import { expect, type Page } from '@playwright/test';
import { v7 as uuidv7 } from 'uuid';
import { toPasswordDigest } from '../../../server/features/accounts/sessions/passwords/password-digest.ts';
import { createKeyedHash } from '../../../server/platform/security/keyed-hash.ts';
import { dataDir, withDatabase } from '../apps/database.ts';
import { now } from '../clock.ts';

export interface NewUser {
  firstName: string;
  username: string;
  email: string;
  password: string;
}

export function newUser(): NewUser {
  const username = `mara-${randomUUID().slice(0, 13)}`;
  return { firstName: 'Mara', username, email: `${username}@example.com`, password: 'warm paw prints' };
}

/** Of each of the tests' servers: `global-setup` inserts it. */
export const administrator: NewUser = {
  firstName: 'Ada',
  username: 'ada',
  email: 'ada@example.com',
  password: 'keeper of the keys',
};

/** By API. */
export async function signIn(page: Page, { email, password }: NewUser): Promise<void> {
  const response = await page.request.post('/api/login', { data: { email, password } });
  expect(response.status()).toBe(200);
}

/** The lowest that argon2 has. */
const PASSWORD_COST = { memoryCost: 8, timeCost: 1, parallelism: 1 };
const SESSION_MS = 30 * 24 * 60 * 60 * 1000;

/** Signs the page in as a new user, whose account and session it inserts into the database: a tenth of the time of `registerUser`. */
export async function signInAsNewUser(page: Page, { isAdmin = false } = {}): Promise<NewUser> {
  const user = newUser();
  const id = uuidv7();
  const secret = (await readFile(join(dataDir(), 'secrets', 'session'), 'utf8')).trim();
  const passwordHash = await hash(user.password, PASSWORD_COST);
  const sid = randomUUID();
  const time = now().getTime();
  const expires = new Date(time + SESSION_MS);
  const session = {
    cookie: {
      originalMaxAge: SESSION_MS,
      expires,
      secure: false,
      httpOnly: true,
      sameSite: 'lax',
      path: '/',
    },
    passport: { user: id },
    passwordDigest: toPasswordDigest(
      { keyedHash: createKeyedHash(secret) },
      { passwordHash, boundPasswordHash: null },
    ),
    renewedAt: time,
    identityConfirmedAt: time,
  };
  await withDatabase(async (database) => {
    await database.query(
      'insert into users (id, email, username, first_name, password_hash, is_admin) values ($1, $2, $3, $4, $5, $6)',
      [id, user.email, user.username, user.firstName, passwordHash, isAdmin],
    );
    await database.query('insert into sessions (sid, sess, expire) values ($1, $2, $3)', [
      sid,
      session,
      expires,
    ]);
  });
  const signature = createHmac('sha256', secret).update(sid).digest('base64').replace(/=+$/, '');
  await page.context().addCookies([
    {
      name: 'mems.sid',
      value: encodeURIComponent(`s:${sid}.${signature}`),
      url: process.env['E2E_BASE_URL']!,
      httpOnly: true,
      sameSite: 'Lax',
      expires: expires.getTime() / 1000,
    },
  ]);
  return user;
}

/** Registers by API and signs the page in. Needed only by tests of what registration leaves: its activity, emails and known device. */
export async function registerUser(page: Page): Promise<NewUser> {
  const user = newUser();
  const response = await page.request.post('/api/register', { data: user });
  expect(response.status()).toBe(201);
  return user;
}

export async function fillSignUp(page: Page, user: NewUser): Promise<void> {
  await page.getByLabel('First name').fill(user.firstName);
  await page.getByLabel('Username').fill(user.username);
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password').fill(user.password);
}

export async function fillSignIn(
  page: Page,
  { email, password }: Pick<NewUser, 'email' | 'password'>,
): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
}

export function toast(page: Page) {
  return page.getByRole('region', { name: /Notifications/ }).getByRole('listitem');
}

export const LOGGED_OUT = 'UnauthorizedYou are logged out. Logging in again...';

/** Narrower screens have the links of the header in a menu. */
const MIN_WIDTH_WITHOUT_MENU = 1024;
export const hasMenu = (page: Page) => (page.viewportSize()?.width ?? 0) < MIN_WIDTH_WITHOUT_MENU;

export async function openMenu(page: Page): Promise<void> {
  if (hasMenu(page)) await page.getByRole('button', { name: 'Menu' }).click();
}
