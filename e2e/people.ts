import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';

export interface Person {
  firstName: string;
  username: string;
  email: string;
  password: string;
}

/** Someone whom the server has not met yet. */
export function newPerson(): Person {
  const username = `mara-${randomUUID().slice(0, 13)}`;
  return { firstName: 'Mara', username, email: `${username}@example.com`, password: 'warm paw prints' };
}

/** An account made without the screens, for tests of something else. The page is signed in afterwards. */
export async function signUpQuickly(page: Page): Promise<Person> {
  const person = newPerson();
  const answer = await page.request.post('/api/register', { data: person });
  expect(answer.status()).toBe(201);
  return person;
}

export async function fillSignUp(page: Page, person: Person): Promise<void> {
  await page.getByLabel('First name').fill(person.firstName);
  await page.getByLabel('Username').fill(person.username);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
}

export async function fillSignIn(
  page: Page,
  { email, password }: Pick<Person, 'email' | 'password'>,
): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
}

/** The notice that is on the screen. */
export function toast(page: Page) {
  return page.getByRole('region', { name: /Notifications/ }).getByRole('listitem');
}

export const LOGGED_OUT = 'UnauthorizedYou are logged out. Logging in again...';

/** Sees a notice that leaves with its page half a second later: begin before what brings it. */
export async function noticeSeen(page: Page, text: string): Promise<void> {
  await page.waitForFunction((text) => {
    const notices = [...document.querySelectorAll('[role="region"][aria-label^="Notifications"] li')];
    return notices.some((notice) => notice.textContent === text);
  }, text);
}

/** Opens the phone's menu; a wide screen shows all of it anyway. */
export async function openMenu(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu' });
  await expect(menu.or(page.getByRole('button', { name: 'Logout' }))).toBeVisible();
  if (await menu.isVisible()) await menu.click();
}
