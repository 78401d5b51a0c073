import ipaddr from 'ipaddr.js';

/** Providers assign each customer a whole IPv6 network of this size. */
const IPV6_NETWORK_BITS = 64;

/** The client's IPv4 address, or the network of its IPv6 address: a key for rate limits. */
export function clientIp({ ip = '' }: { ip: string | undefined }): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${IPV6_NETWORK_BITS}`).toString();
}
