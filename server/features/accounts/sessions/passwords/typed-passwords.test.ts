import { hash } from '@node-rs/argon2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer } from '../../../../testing/test-server.ts';
import { formsOf, passwordVerifications } from '../../users/passwords/password.ts';
import { findUser, updateUser } from '../../users/user-queries.ts';

const composed = 'H\u00fcndin-Ma\u00f1ana7';
const decomposed = 'Hu\u0308ndin-Man\u0303ana7';
const korean = '\ud55c\uad6d \uac15\uc544\uc9c0 42';

/** The same password as keyboards and operating systems write it. */
const PAIRS = [
  ['accents', composed, decomposed],
  ['a Greek letter with three marks', 'kater \u1f82 und hund', 'kater \u03b1\u0313\u0300\u0345 und hund'],
  ['Korean', korean, korean.normalize('NFD')],
  ['a no-break space', 'warm paw prints', 'warm\u00a0paw prints'],
  ['an ideographic space', 'warm paw prints', 'warm\u3000paw\u2003prints'],
] as const;

let accounts = 0;

const server = await startTestServer();

function nextAccount() {
  accounts += 1;
  return { username: `typed-${accounts}`, email: `typed-${accounts}@mems.example` };
}

async function logIn(email: string, password: string): Promise<number> {
  return (await server.visitor().post('/api/login', { email, password })).status;
}

/** As an earlier release stored it: hashed as it was typed. */
async function signUpBefore(typed: string) {
  const { username, email } = nextAccount();
  const browser = await server.signUp(username);
  const passwordHash = await hash(typed, { memoryCost: 8, timeCost: 1, parallelism: 1 });
  await updateUser(server.context.db, browser.userId, { passwordHash });
  return { browser, passwordHash, email };
}

const hashOf = async (userId: string) => (await findUser(server.context.db, userId))?.passwordHash;

describe.each(PAIRS)('a password with %s', (_, one, other) => {
  it.each([
    [one, other],
    [other, one],
  ])('that was chosen as %j signs in as %j', async (chosen, typed) => {
    const account = { ...nextAccount(), password: chosen };
    expect((await server.visitor().post('/api/register', account)).status).toBe(201);
    expect(await logIn(account.email, typed)).toBe(200);
    expect(await logIn(account.email, chosen)).toBe(200);
    expect(await logIn(account.email, `${typed}!`)).toBe(401);
  });

  it('is the current password either way', async () => {
    const account = { ...nextAccount(), password: one };
    const browser = server.visitor();
    await browser.post('/api/register', account);
    expect((await browser.post('/api/session/proof', { password: other })).status).toBe(204);
    const json = { currentPassword: other, password: 'another warm basket' };
    expect((await browser.request('PATCH', '/api/user/password', { json })).status).toBe(204);
    expect(await logIn(account.email, 'another warm basket')).toBe(200);
  });
});

describe('an account from an earlier release', () => {
  it.each([
    ['decomposed', decomposed, composed],
    ['composed', composed, decomposed],
  ])('whose password was hashed %s signs in either way', async (_, hashed, typed) => {
    const { email } = await signUpBefore(hashed);
    expect(await logIn(email, typed)).toBe(200);
    expect(await logIn(email, hashed)).toBe(200);
    expect(await logIn(email, typed)).toBe(200);
  });

  it('whose password has a no-break space signs in as before, then with any space', async () => {
    const { email } = await signUpBefore('warm\u00a0paw prints');
    expect(await logIn(email, 'warm\u00a0paw prints')).toBe(200);
    expect(await logIn(email, 'warm paw prints')).toBe(200);
  });

  it('whose password is shorter when it is composed signs in', async () => {
    const { email } = await signUpBefore('u\u0308n\u0303o\u0308');
    expect(await logIn(email, '\u00fc\u00f1\u00f6')).toBe(200);
  });

  it('gets a better hash at a sign-in, once', async () => {
    const { browser, passwordHash, email } = await signUpBefore(decomposed);
    await logIn(email, composed);
    const better = await hashOf(browser.userId);
    expect(better).not.toBe(passwordHash);
    await logIn(email, decomposed);
    expect(await hashOf(browser.userId)).toBe(better);
  });

  it('keeps its sessions and its way to another password, since the password did not change', async () => {
    const { browser, passwordHash, email } = await signUpBefore(decomposed);
    await browser.post('/api/login', { email, password: decomposed });
    // This session is now one of the earlier release.
    await updateUser(server.context.db, browser.userId, { passwordHash });
    const phone = server.visitor();
    await phone.post('/api/login', { email, password: composed });
    expect(await hashOf(browser.userId)).not.toBe(passwordHash);
    expect((await browser.get('/api/user')).status).toBe(200);
    expect((await phone.get('/api/user')).status).toBe(200);
    expect((await browser.get('/api/user/activity')).text).not.toContain('password-changed');
    const json = { currentPassword: composed, password: 'another warm basket' };
    expect((await browser.request('PATCH', '/api/user/password', { json })).status).toBe(204);
    expect((await browser.get('/api/user')).status).toBe(200);
    expect((await phone.get('/api/user')).status).toBe(401);
    expect(await logIn(email, composed)).toBe(401);
  });

  it('changes its password with the form that is not hashed yet', async () => {
    const { browser, passwordHash, email } = await signUpBefore(decomposed);
    await browser.post('/api/login', { email, password: decomposed });
    await updateUser(server.context.db, browser.userId, { passwordHash });
    const json = { currentPassword: composed, password: 'another warm basket' };
    expect((await browser.request('PATCH', '/api/user/password', { json })).status).toBe(204);
    expect((await browser.get('/api/user')).status).toBe(200);
    expect(await logIn(email, 'another warm basket')).toBe(200);
  });
});

describe('a wrong password', () => {
  let verifications = 0;
  const count = () => void (verifications += 1);
  beforeEach(() => passwordVerifications.subscribe(count));
  afterEach(() => passwordVerifications.unsubscribe(count));

  const verificationsOf = async (email: string, password: string) => {
    verifications = 0;
    expect(await logIn(email, password)).toBe(401);
    return verifications;
  };

  it.each([
    ['of one form', 'warm paw prints', 1],
    ['composed', composed, 2],
    ['decomposed', decomposed, 2],
    ['in Korean', korean, 2],
    ['with another space', 'warm\u00a0paw prints', 2],
    ['with accents and another space', 'H\u00fcndin\u00a0Ma\u00f1ana7', 3],
  ])('%s is verified as often for an unknown address as for a known one', async (_, password, expected) => {
    const known = { ...nextAccount(), password: 'a dog in the snow' };
    await server.visitor().post('/api/register', known);
    const before = await signUpBefore(decomposed.repeat(2));
    expect({
      known: await verificationsOf(known.email, password),
      ofAnEarlierRelease: await verificationsOf(before.email, password),
      unknown: await verificationsOf(nextAccount().email, password),
    }).toEqual({ known: expected, ofAnEarlierRelease: expected, unknown: expected });
  });
});

describe('the forms of a password that are tried', () => {
  it.each([
    ['warm paw prints', 1],
    [composed, 2],
    [decomposed, 2],
    ['warm\u00a0paw prints', 2],
    ['H\u00fcndin\u00a0Ma\u00f1ana7', 3],
  ])('of %j are %i, each once', (password, count) => {
    expect(formsOf(password).size).toBe(count);
  });
});
