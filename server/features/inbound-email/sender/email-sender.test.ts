import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import { describe, expect, it } from 'vitest';
import type { DnsResolver } from '../../../platform/dns-resolver.ts';
import { mime } from '../../../testing/data/mime.ts';
import { verifySender, type SenderEvidence } from './email-sender.ts';

const NOW = new Date('2026-05-01T12:00:00Z');
const AUTHSERV = 'mx.mems.example';
const ours = generateKeyPairSync('rsa', { modulusLength: 2048 });
const theirs = generateKeyPairSync('rsa', { modulusLength: 2048 });
const weak = generateKeyPairSync('rsa', { modulusLength: 512 });

const record = ({ publicKey }: { publicKey: KeyObject }) =>
  `v=DKIM1; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
const KEYS: Record<string, string> = {
  's._domainkey.home.example': record(ours),
  's._domainkey.mail.home.example': record(ours),
  's._domainkey.evil.example': record(theirs),
  's._domainkey.pages.github.io': record(ours),
  'weak._domainkey.home.example': record(weak),
};

/** A DNS with keys only. */
function dnsOf(failure?: string): DnsResolver & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    resolve(name) {
      asked.push(name);
      const code = failure ?? (KEYS[name] ? null : 'ENOTFOUND');
      if (code) return Promise.reject(Object.assign(new Error(code), { code }));
      return Promise.resolve([[KEYS[name]]]);
    },
  };
}

const HEAD = {
  From: 'Mara <mara@home.example>',
  To: 'x@in.mems.example',
  Subject: 'Rex',
  Date: NOW.toUTCString(),
};
const message = (headers: Record<string, string | string[]> = {}) =>
  mime({ ...HEAD, ...headers }, 'Hello\r\n');

type Signature = {
  domain?: string;
  selector?: string;
  key?: { privateKey: KeyObject };
  algorithm?: string;
  headers?: string;
  maxBodyLength?: number;
  signTime?: Date;
  expires?: Date;
};

async function signed(raw: Buffer, signature: Signature = {}): Promise<Buffer> {
  const { domain = 'home.example', selector = 's', key = ours, headers, ...rest } = signature;
  const privateKey = key.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  const { signatures, errors } = await dkimSign(raw, {
    canonicalization: 'relaxed/relaxed',
    signTime: NOW,
    ...rest,
    ...(headers && { headerList: headers }),
    signatureData: [{ signingDomain: domain, selector, privateKey, algorithm: 'rsa-sha256', ...rest }],
  } as unknown as Parameters<typeof dkimSign>[1]);
  expect(errors).toEqual([]);
  return Buffer.concat([Buffer.from(signatures), raw]);
}

const identify = (raw: Buffer, evidence: Partial<SenderEvidence> = {}, dns: DnsResolver = dnsOf()) =>
  verifySender({ raw, spfDomain: null, authservId: null, now: NOW, ...evidence }, dns);
const authenticated = { address: 'mara@home.example', authentication: 'authenticated' };
const unauthenticated = { address: 'mara@home.example', authentication: 'unauthenticated' };
const replaced = (raw: Buffer, from: string, to: string) =>
  Buffer.from(raw.toString('latin1').replace(from, to), 'latin1');

describe('a sender with a DKIM signature', () => {
  it('is verified if their own domain signed', async () => {
    expect(await identify(await signed(message()))).toEqual(authenticated);
  });

  it('is verified by domains of the same organization only', async () => {
    expect(await identify(await signed(message(), { domain: 'mail.home.example' }))).toEqual(authenticated);
    const evil = await signed(message(), { domain: 'evil.example', key: theirs });
    expect(await identify(evil)).toEqual(unauthenticated);
    const neighbor = message({ From: 'mara@another.github.io' });
    const pages = await signed(neighbor, { domain: 'pages.github.io' });
    expect((await identify(pages)).authentication).toBe('unauthenticated');
  });

  it('is verified by one valid signature of several', async () => {
    const twice = await signed(await signed(message(), { domain: 'evil.example', key: theirs }));
    expect(await identify(twice)).toEqual(authenticated);
    const broken = await signed(await signed(message()), { selector: 'gone' });
    expect(await identify(broken)).toEqual(authenticated);
  });

  it('is verified with LF line endings', async () => {
    const raw = await signed(message());
    expect(await identify(Buffer.from(raw.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'))).toEqual(
      authenticated,
    );
  });

  it.each([
    ['the body was changed', async () => replaced(await signed(message()), 'Hello', 'Hallo')],
    ['the subject was changed', async () => replaced(await signed(message()), 'Rex', 'Max')],
    [
      'From was changed',
      async () => replaced(await signed(message({ From: 'jo@home.example' })), 'jo@', 'mara@'),
    ],
    ['its key is another', () => signed(message(), { key: theirs })],
    ['its key is gone', () => signed(message(), { selector: 'gone' })],
    ['its key is weak', () => signed(message(), { selector: 'weak', key: weak })],
    ['it is made with SHA-1', () => signed(message(), { algorithm: 'rsa-sha1' })],
    ['it does not cover From', () => signed(message(), { headers: 'Subject:To' })],
    ['it covers only a part of the body', () => signed(message(), { maxBodyLength: 3 })],
    ['it covers all of the body, but says how much that is', () => signed(message(), { maxBodyLength: 7 })],
    ['it has expired', () => signed(message(), { expires: new Date(NOW.getTime() - 1000) })],
    [
      'a second subject was put above the one that is signed',
      async () => Buffer.concat([Buffer.from('Subject: Max\r\n'), await signed(message())]),
    ],
    [
      'another type was put above the one that is signed',
      async () => {
        const raw = await signed(message({ 'Content-Type': 'text/plain' }));
        return Buffer.concat([Buffer.from('content-type : multipart/mixed; boundary=x\r\n'), raw]);
      },
    ],
    ['it has a line that is longer than any', () => signed(mime(HEAD, 'a'.repeat(300_000)))],
    ['it has more lines than any mail', () => signed(mime(HEAD, `${'\r\n'.repeat(700_000)}x`))],
    ['there is none', () => Promise.resolve(message())],
    [
      'there is a crowd of them',
      async () => {
        const one = (await signed(message())).toString('latin1').split(/\r\nFrom/)[0] ?? '';
        return Buffer.concat([Buffer.from(`${one}\r\n`.repeat(6), 'latin1'), message()]);
      },
    ],
  ])('is not verified if %s', async (_name, make) => {
    expect(await identify(await make())).toEqual(unauthenticated);
  });

  it('is unsure if the key cannot be fetched', async () => {
    const raw = await signed(message());
    expect((await identify(raw, {}, dnsOf('ETIMEOUT'))).authentication).toBe('unsure');
  });

  it('is checked fast with hostile headers', async () => {
    const returns = Buffer.from(`X: ${'\r'.repeat(200_000)}x\r\n`);
    expect(await identify(Buffer.concat([returns, await signed(message())]))).toEqual(unauthenticated);
    const senders = Buffer.from(`Return-Path: ${'a@b.example,'.repeat(20_000)}\r\n`);
    expect(await identify(Buffer.concat([senders, await signed(message())]))).toEqual(authenticated);
  });

  it('causes DNS queries for keys of their own domain only', async () => {
    const dns = dnsOf();
    await identify(await signed(await signed(message()), { domain: 'evil.example', key: theirs }), {}, dns);
    expect(dns.asked).toEqual(['s._domainkey.home.example']);
  });
});

describe('From', () => {
  it.each([
    ['mara@home.example'],
    ['Mara <mara@home.example>'],
    ['"Mara, of home" <Mara@Home.Example>'],
    ['=?UTF-8?B?TcOkcmE=?= <mara@home.example>'],
    ['"other@evil.example" <mara@home.example>'],
    ['Mara Dent (at home) <mara@home.example>'],
  ])('names one person: %s', async (from) => {
    expect(await identify(await signed(message({ From: from })))).toEqual(authenticated);
  });

  it.each([
    ['two headers', ['mara@home.example', 'jo@evil.example']],
    ['the same header twice', ['mara@home.example', 'mara@home.example']],
    ['two people', 'mara@home.example, jo@evil.example'],
    ['a group', 'Family: mara@home.example;'],
    ['two addresses', '<mara@home.example> <jo@evil.example>'],
    ['an address as a name', 'jo@evil.example <mara@home.example>'],
    ['an address in a comment', 'mara@home.example (jo@evil.example)'],
    ['a route', '<@evil.example:mara@home.example>'],
    ['an address in quotes within another', '<"<mara@home.example>"jo@home.example\\"'],
    ['quotes that begin elsewhere for other programs', 'Jo \\""<mara@home.example>"'],
    ['an address made of encoded words', '=?utf-8?q?mara?= <=?utf-8?q?mara?=@home.example>'],
    ['a quoted address', '"mara@home.example"@evil.example'],
    ['an address without a domain', 'mara'],
    ['a domain alone', 'home.example'],
    ['an address that is longer than any', `mara@${'home.'.repeat(50)}example`],
    ['a quotation without end', `"${'\\"'.repeat(100_000)} <mara@home.example>`],
    ['nothing', ''],
  ])('is ambiguous with %s', async (_name, from) => {
    const { address, authentication } = await identify(await signed(message({ From: from })));
    expect([address, authentication]).toEqual([null, 'unauthenticated']);
  });

  it('is ambiguous if programs may read different headers', async () => {
    for (const hidden of [
      '\u00a0From: jo@evil.example\r\n',
      '\x0bFrom: jo@evil.example\r\n',
      'From : jo@evil.example\r\n',
    ]) {
      const raw = await signed(message());
      const forged = Buffer.concat([Buffer.from(hidden), raw]);
      expect((await identify(forged)).authentication).toBe('unauthenticated');
    }
    const early = Buffer.concat([Buffer.from('\r\n'), await signed(message())]);
    expect((await identify(early)).address).toBeNull();
  });
});

describe('SPF of our own SMTP receiver', () => {
  it('verifies senders of the same organization only', async () => {
    expect(await identify(message(), { spfDomain: 'bounces.home.example' })).toEqual(authenticated);
    expect(await identify(message(), { spfDomain: 'evil.example' })).toEqual(unauthenticated);
  });
});

describe('Authentication-Results of the configured mail server', () => {
  const vouched = (...results: string[]) =>
    identify(message({ 'Authentication-Results': results }), { authservId: AUTHSERV });

  it.each([
    `${AUTHSERV}; dkim=pass header.d=home.example`,
    `MX.mems.example 1; spf=fail smtp.mailfrom=x@evil.example; dkim=pass (2048-bit key; \\) dkim=fail) header.i=@mail.home.example`,
    `${AUTHSERV}; spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=bounce@home.example`,
    `"${AUTHSERV}"; dmarc=pass action=none header.from=home.example`,
    `${AUTHSERV}; dkim/1 = pass header.d = home.example`,
  ])('are trusted: %s', async (result) => {
    expect(await vouched(result)).toEqual(authenticated);
  });

  it.each([
    ['another server', 'mx.evil.example; dkim=pass header.d=home.example'],
    ['a server that calls itself a bit like it', `${AUTHSERV}.evil.example; dkim=pass header.d=home.example`],
    ['a check that failed', `${AUTHSERV}; dkim=fail header.d=home.example`],
    ['another domain', `${AUTHSERV}; dkim=pass header.d=evil.example`],
    ['a check of something else', `${AUTHSERV}; iprev=pass policy.iprev=home.example`],
    [
      'words in a comment',
      `${AUTHSERV}; spf=fail (x; dkim=pass header.d=home.example) smtp.mailfrom=evil.example`,
    ],
    [
      'words in quotes',
      `${AUTHSERV}; spf=fail smtp.mailfrom="x; dkim=pass header.d=home.example; y"@evil.example`,
    ],
    ['nothing', `${AUTHSERV}; none`],
  ])('do not verify with %s', async (_name, result) => {
    expect(await vouched(result)).toEqual(unauthenticated);
  });

  it('are read from the topmost header only', async () => {
    const forged = `${AUTHSERV}; dkim=pass header.d=home.example`;
    expect(await vouched(`${AUTHSERV}; dkim=none`, forged)).toEqual(unauthenticated);
    expect(await vouched('mx.else.example; dkim=fail', forged)).toEqual(authenticated);
  });

  it('are ignored without a configured server', async () => {
    const raw = message({ 'Authentication-Results': '; dkim=pass header.d=home.example' });
    expect(await identify(raw)).toEqual(unauthenticated);
  });
});
