import fc from 'fast-check';
import ipaddr from 'ipaddr.js';

const NETWORKS = ['10.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'];

/** Any address of a private network. */
export const privateIpv4 = fc
  .tuple(fc.constantFrom(...NETWORKS), fc.uint8Array({ minLength: 4, maxLength: 4 }))
  .map(([network, random]) => {
    const [base, bits] = ipaddr.IPv4.parseCIDR(network);
    const octets = base.octets.map((octet, i) => {
      const mask = 255 & (0xff00 >> Math.max(0, Math.min(8, bits - i * 8)));
      return (octet & mask) | ((random[i] as number) & ~mask & 255);
    });
    return octets as [number, number, number, number];
  });
