import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ForbiddenAddressError, isPublic, publicLookup } from './ssrf-guard.ts';

const family = (address: string) => (address.includes(':') ? 6 : 4);

/** What a socket gets to know of a host whose name leads to these addresses. */
function lookUp(addresses: string[], all: boolean): Promise<string | LookupAddress[]> {
  const names: LookupFunction = (_host, options, done) => {
    expect(options.all).toBe(true);
    done(
      null,
      addresses.map((address) => ({ address, family: family(address) })),
    );
  };
  return new Promise((resolve, reject) =>
    publicLookup(names)('mms.twiliocdn.com', { all }, (error, found) =>
      error ? reject(error) : resolve(found),
    ),
  );
}

describe('looking up a host', () => {
  it('returns all public addresses, or the first', async () => {
    const addresses = ['93.184.215.14', '2606:4700::1111'];
    expect(await lookUp(addresses, true)).toEqual(
      addresses.map((address) => ({ address, family: family(address) })),
    );
    expect(await lookUp(addresses, false)).toBe('93.184.215.14');
  });

  it.each([
    [['127.0.0.1']],
    [['::ffff:127.0.0.1']],
    [['10.0.0.7']],
    [['169.254.169.254']],
    [['fd00:ec2::254']],
    [['93.184.215.14', '192.168.1.1']],
    [[]],
  ])('is refused when it leads to %j', async (addresses) => {
    for (const all of [true, false])
      await expect(lookUp(addresses, all)).rejects.toThrow(ForbiddenAddressError);
  });

  it('passes on errors of the system’s lookup', async () => {
    const fails: LookupFunction = (_host, _options, done) => done(new Error('ENOTFOUND'), '');
    const looked = new Promise((resolve) => publicLookup(fails)('mms.twiliocdn.com', {}, resolve));
    expect(await looked).toMatchObject({ message: 'ENOTFOUND' });
  });
});

describe('a public address', () => {
  it.each(['8.8.8.8', '93.184.215.14', '2606:4700::1111', '::ffff:8.8.8.8'])('is %s', (each) => {
    expect(isPublic(each)).toBe(true);
  });

  it.each([
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.8.8.8', '169.254.169.254', '172.16.0.1'],
    ...['192.0.0.1', '192.168.0.1', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
    ...['::', '::1', '::127.0.0.1', '::ffff:10.0.0.1', '::ffff:7f00:1', '64:ff9b::7f00:1', '64:ff9b:1::1'],
    ...['2002:7f00:1::', '2001::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fec0::1', 'ff02::1'],
    ...['localhost', ''],
  ])('is not %s', (each) => {
    expect(isPublic(each)).toBe(false);
  });
});
