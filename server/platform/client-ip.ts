import ipaddr from 'ipaddr.js';

/** What is given to one customer of an IPv6 network: whoever has one address there has all of them. */
const IPV6_NETWORK_BITS = 64;

/** Who asks, as far as an address can tell: an IPv4 address, or the network of an IPv6 one. */
export function clientIp({ ip = '' }: { ip: string | undefined }): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${IPV6_NETWORK_BITS}`).toString();
}
