import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, test } from 'vitest';
import { classifyAddress } from '#api/outbound/address.ts';
import { privateIpv4 } from './arbitrary-address.ts';

describe('addresses outside the public internet', () => {
  test.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '168.63.129.16',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:0:127.0.0.1',
    '0:0:0:0:0:ffff:a9fe:a9fe',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:0:7f00:1::',
    '2001:10::1',
    '2001:20::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:808:808::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
  ])('%s', (text) => {
    expect(classifyAddress(text)).toMatchObject({ isPublic: false });
  });
});

test.each([
  ['8.8.8.8', '8.8.8.8'],
  ['2606:4700::1111', '2606:4700::1111'],
  ['::ffff:8.8.8.8', '8.8.8.8'],
  ['64:ff9b::808:808', '64:ff9b::808:808'],
])('%s is public, and the connection uses %s', (text, connectedTo) => {
  expect(classifyAddress(text)).toEqual({ text: connectedTo, range: 'unicast', isPublic: true });
});

test.each(['', 'localhost', '1.2.3.4.5', ':::', '10.0.0.1:80', '[::1]'])('%j is not an address', (text) => {
  expect(classifyAddress(text)).toBeUndefined();
});

test('a private IPv4 address is not public in any IPv6 form that contains it', () => {
  fc.assert(
    fc.property(privateIpv4, ([a, b, c, d]) => {
      const [high, low] = [((a << 8) | b).toString(16), ((c << 8) | d).toString(16)];
      for (const form of [
        `${a}.${b}.${c}.${d}`,
        `::${a}.${b}.${c}.${d}`,
        `::${high}:${low}`,
        `::ffff:${a}.${b}.${c}.${d}`,
        `0:0:0:0:0:FFFF:${high}:${low}`,
        `::ffff:0:${high}:${low}`,
        `64:ff9b::${high}:${low}`,
        `64:ff9b:1::${high}:${low}`,
        `2002:${high}:${low}::1`,
        `2001:0:${high}:${low}::1`,
        `fe80::5efe:${high}:${low}`,
      ])
        expect(classifyAddress(form), form).toMatchObject({ isPublic: false });
    }),
    { numRuns: 500 },
  );
});

test('nothing outside the global unicast range is public', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
      const text = new ipaddr.IPv6([...bytes]).toString();
      fc.pre((bytes[0] as number) >> 5 !== 1);
      expect(classifyAddress(text)?.isPublic).toBe(false);
    }),
    { numRuns: 500 },
  );
});
