import { describe, expect, it } from 'vitest';
import { clientIp, guessingNetwork, toNetwork } from './client-ip.ts';

describe('clientIp', () => {
  it('returns an IPv4 address, also if it is mapped to IPv6', () => {
    expect(clientIp({ ip: '192.0.2.1' })).toBe('192.0.2.1');
    expect(clientIp({ ip: '::ffff:192.0.2.1' })).toBe('192.0.2.1');
    expect(clientIp({ ip: '::ffff:192.0.2.2' })).toBe('192.0.2.2');
  });

  it('returns the /64 network of an IPv6 address', () => {
    const network = clientIp({ ip: '2001:db8:1:2::1' });
    expect(clientIp({ ip: '2001:DB8:1:2:ffff::9' })).toBe(network);
    expect(clientIp({ ip: '2001:db8:1:3::1' })).not.toBe(network);
    expect(clientIp({ ip: 'fe80::1%eth0' })).toBe(clientIp({ ip: 'fe80::2' }));
  });

  it('returns an empty string without an address', () => {
    expect(clientIp({ ip: undefined })).toBe('');
  });
});

it('guessingNetwork cuts IPv4 to /24 and IPv6 to /56', () => {
  expect(guessingNetwork({ ip: '::ffff:203.0.113.77' })).toBe('203.0.113.0/24');
  expect(guessingNetwork({ ip: '2001:db8:1:2ff::1' })).toBe('2001:db8:1:200::/56');
  expect(guessingNetwork({ ip: undefined })).toBe('');
});

describe('toNetwork', () => {
  it.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:1:2::1', '2001:db8:1::/48'],
    ['not an address', null],
    [undefined, null],
  ])('cuts %s to %s', (ip, network) => {
    expect(toNetwork({ ip })).toBe(network);
  });
});
