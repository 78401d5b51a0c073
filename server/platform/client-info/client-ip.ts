import ipaddr from 'ipaddr.js';

/** Providers assign each customer a whole IPv6 network of this size. */
const IPV6_NETWORK_BITS = 64;

/** Of a person or an office, for limits that many addresses shall not multiply: IPv4 /24, IPv6 /56. */
export function guessingNetwork({ ip = '' }: { ip?: string | undefined }): string {
  return cutTo(ip, { ipv4: 24, ipv6: 56 }) ?? ip;
}

/** Rough enough to be shown and stored, and enough to recognize one's own. */
export function toNetwork({ ip = '' }: { ip?: string | undefined }): string | null {
  return cutTo(ip, { ipv4: 24, ipv6: 48 });
}

function cutTo(ip: string, bits: Record<'ipv4' | 'ipv6', number>): string | null {
  if (!ipaddr.isValid(ip)) return null;
  const address = ipaddr.process(ip);
  const cidr = `${address.toString()}/${bits[address.kind()]}`;
  const family = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${family.networkAddressFromCIDR(cidr).toString()}/${cidr.split('/')[1] ?? ''}`;
}

/** The client's IPv4 address, or the network of its IPv6 address: a key for rate limits. */
export function clientIp({ ip = '' }: { ip: string | undefined }): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${IPV6_NETWORK_BITS}`).toString();
}
