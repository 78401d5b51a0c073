import { describe, expect, it } from 'vitest';
import { clientIp } from './client-ip.ts';

describe('who asks', () => {
  it('is told by an IPv4 address, also within an IPv6 one', () => {
    expect(clientIp({ ip: '192.0.2.1' })).toBe('192.0.2.1');
    expect(clientIp({ ip: '::ffff:192.0.2.1' })).toBe('192.0.2.1');
    expect(clientIp({ ip: '::ffff:192.0.2.2' })).toBe('192.0.2.2');
  });

  it('is told by the network of an IPv6 address, whose other addresses are theirs, too', () => {
    const network = clientIp({ ip: '2001:db8:1:2::1' });
    expect(clientIp({ ip: '2001:DB8:1:2:ffff::9' })).toBe(network);
    expect(clientIp({ ip: '2001:db8:1:3::1' })).not.toBe(network);
    expect(clientIp({ ip: 'fe80::1%eth0' })).toBe(clientIp({ ip: 'fe80::2' }));
  });

  it('is nobody in particular while there is no address', () => {
    expect(clientIp({ ip: undefined })).toBe('');
  });
});
