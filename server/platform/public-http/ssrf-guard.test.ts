import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { networkInterfaces, NetworkInterfaceInfo } from 'node:os';
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

function interfacesAt(...cidrs: string[]): ReturnType<typeof networkInterfaces> {
  const infos = cidrs.map((cidr) => ({ address: cidr.split('/')[0], cidr }) as NetworkInterfaceInfo);
  return { eth0: infos };
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
  ])('is rejected when it leads to %j', async (addresses) => {
    for (const all of [true, false])
      await expect(lookUp(addresses, all)).rejects.toThrow(ForbiddenAddressError);
  });

  it('is rejected when it leads into a network of this machine, as that is at each lookup', async () => {
    let own: string[] = [];
    const names: LookupFunction = (_host, _options, done) =>
      done(null, [{ address: '2606:4700::1111', family: 6 }]);
    const look = publicLookup(names, () => interfacesAt(...own));
    const found = () =>
      new Promise((resolve) => look('router.example', {}, (error, address) => resolve(error ?? address)));
    expect(await found()).toBe('2606:4700::1111');
    own = ['2606:4700::2222/64'];
    expect(await found()).toBeInstanceOf(ForbiddenAddressError);
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
    ...['200::1', '4000::1', '5f00::1', '2001:db8::1', '3fff::1'],
    ...['localhost', ''],
  ])('is not %s', (each) => {
    expect(isPublic(each)).toBe(false);
  });

  it.each([
    ['8.8.8.8', ['8.8.8.200/24'], false],
    ['8.8.9.8', ['8.8.8.200/24'], true],
    ['::ffff:8.8.8.8', ['127.0.0.1/8', '8.8.8.8/32'], false],
    ['2606:4700:0:1::7', ['fe80::1/64', '2606:4700:0:1::1/64'], false],
    ['2606:4700:0:2::7', ['fe80::1/64', '2606:4700:0:1::1/64'], true],
  ])('%s beside %j of this machine is public: %s', (address, own, expected) => {
    expect(isPublic(address, interfacesAt(...own))).toBe(expected);
  });
});
