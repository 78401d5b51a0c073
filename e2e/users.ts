import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';

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
  const answer = await page.request.post('/api/login', { data: { email, password } });
  expect(answer.status()).toBe(200);
}

/** Registers by API and signs the page in. */
export async function registerUser(page: Page): Promise<NewUser> {
  const user = newUser();
  const answer = await page.request.post('/api/register', { data: user });
  expect(answer.status()).toBe(201);
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
