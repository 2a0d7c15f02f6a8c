import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClientAddress } from '#api/http/limits/client-address.ts';

const PROXIES = ['10.0.0.0/8', '192.0.2.1', '2001:db8:ffff::/48', '::ffff:172.16.0.0/108'];

describe('the address of a client (rule 7)', () => {
  // Rule 7: the client IP is taken from X-Forwarded-For only when TRUSTED_PROXIES is set.
  it('is that of the connection without a trusted proxy', () => {
    const client = createClientAddress([]);
    expect(client('203.0.113.9', '198.51.100.1')).toBe('203.0.113.9');
    expect(client('10.0.0.1', '198.51.100.1')).toBe('10.0.0.1');
    expect(client('::ffff:203.0.113.9', undefined)).toBe('203.0.113.9');
    expect(client('2001:DB8:0:0::7')).toBe('2001:db8::7');
    expect(client('fe80::1%eth0')).toBe('fe80::1');
    expect(client(undefined, '198.51.100.1')).toBe('0.0.0.0');
  });

  it('is determined for every connection and header, also after repeated calls', () => {
    const client = createClientAddress(PROXIES);
    const asked = [
      ['10.1.2.3', '198.51.100.1', '198.51.100.1'],
      ['203.0.113.9', '198.51.100.1', '203.0.113.9'],
      ['10.1.2.3', '198.51.100.2', '198.51.100.2'],
      ['10.1.2.3', `${'1.1.1.1, '.repeat(50)}198.51.100.3`, '198.51.100.3'],
    ] as const;
    for (let round = 0; round < 3; round += 1)
      for (const [connection, header, expected] of asked) expect(client(connection, header)).toBe(expected);
    for (let i = 0; i < 20_000; i += 1)
      expect(client('10.1.2.3', `11.0.${i >> 8}.${i & 255}`)).toBe(`11.0.${i >> 8}.${i & 255}`);
    for (const [connection, header, expected] of asked) expect(client(connection, header)).toBe(expected);
  });

  it.each([
    ['the connection is not from a proxy', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['a proxy reports it', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['the connection is IPv4-mapped', '::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['the network is IPv4-mapped', '172.17.0.5', '198.51.100.1', '198.51.100.1'],
    ['the reported address is IPv4-mapped', '10.1.2.3', '::ffff:198.51.100.1', '198.51.100.1'],
    ['the proxy has an IPv6 address', '2001:db8:ffff::1', '2001:DB8::0007', '2001:db8::7'],
    ['several proxies are in a row', '10.1.2.3', '198.51.100.1, 10.9.9.9,192.0.2.1', '198.51.100.1'],
    ['the client wrote entries itself', '10.1.2.3', '127.0.0.1, 8.8.8.8, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
    ['the client wrote a trusted address', '10.1.2.3', '10.0.0.7, 198.51.100.1', '198.51.100.1'],
    ['an address is in no network', '10.1.2.3', '198.51.100.1, 192.0.2.2', '192.0.2.2'],
    ['all are proxies', '10.1.2.3', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['there is no header', '10.1.2.3', undefined, '10.1.2.3'],
    ['the header is empty', '10.1.2.3', '', '10.1.2.3'],
    ['ports are written', '10.1.2.3', '198.51.100.1:4711, 10.0.0.1:80', '198.51.100.1'],
    ['ports are written, IPv6', '10.1.2.3', '[2001:db8::7]:443', '2001:db8::7'],
    ['an entry is no address', '10.1.2.3', '198.51.100.1, unknown, 10.0.0.9', '10.0.0.9'],
    ['an entry is empty', '10.1.2.3', '198.51.100.1,, 10.0.0.9', '10.0.0.9'],
    ['the last entry is empty', '10.1.2.3', '198.51.100.1,', '10.1.2.3'],
    ['an entry has an octal form', '10.1.2.3', '0177.0.0.1', '10.1.2.3'],
    ['an entry has a short form', '10.1.2.3', '127.1', '10.1.2.3'],
    ['an entry is a number', '10.1.2.3', '2130706433', '10.1.2.3'],
    ['an entry is a network', '10.1.2.3', '198.51.100.0/24', '10.1.2.3'],
    ['an entry carries more', '10.1.2.3', 'for=198.51.100.1', '10.1.2.3'],
    ['an entry breaks the line', '10.1.2.3', '198.51.100.1\r\nx: y', '10.1.2.3'],
  ])('when %s', (_, connection, forwardedFor, expected) => {
    expect(createClientAddress(PROXIES)(connection, forwardedFor)).toBe(expected);
  });

  it('is the one the proxy saw, whatever the client sent', () => {
    const client = createClientAddress(PROXIES);
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()), fc.ipV4(), (written, seen) => {
        fc.pre(!/^(?:10|172)\.|^192\.0\.2\.1$/.test(seen));
        expect(client('10.1.2.3', `${written}, ${seen}`)).toBe(seen);
      }),
    );
  });

  it('takes constant time for a header of a megabyte', () => {
    const client = createClientAddress(PROXIES);
    const header = `${'10.0.0.1x,'.repeat(100_000)}198.51.100.1`;
    // Reading the whole header each time would exceed the timeout of the test.
    for (let i = 0; i < 20_000; i += 1) expect(client('10.1.2.3', header)).toBe('198.51.100.1');
  });
});
