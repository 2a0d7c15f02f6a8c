import { expect, test } from 'vitest';
import { destinationOf, maySendTo, readHost } from '#api/executions/secrets/host-binding.ts';

test.each([
  ['API.example.org', 'api.example.org'],
  ['api.example.org:8443', 'api.example.org:8443'],
  ['10.0.0.1', '10.0.0.1'],
  ['[2001:DB8::1]:443', '[2001:db8::1]:443'],
  ['[2001:DB8:0:0::1]:8443', '[2001:db8::1]:8443'],
  ['127.1', '127.0.0.1'],
  ['[1:2:3]', undefined],
  ['999.1.1.1', undefined],
  ['HTTP://Mirror.internal:8080', 'http://mirror.internal:8080'],
  ['http://[2001:DB8:0::1]', 'http://[2001:db8::1]'],
  ['http://http://api.example.org', undefined],
  ['http://', undefined],
  ['https://api.example.org', undefined],
  ['api.example.org/path', undefined],
  ['*.example.org', undefined],
  ['ann@example.org', undefined],
  ['', undefined],
])('stores the host %j as %j', (text, host) => expect(readHost(text)).toBe(host));

test.each([
  ['https://api.example.org/x', true],
  ['https://API.EXAMPLE.ORG./x', true],
  ['https://api.example.org:8080/', true],
  ['http://api.example.org/', false],
  ['http://api.example.org:443/', false],
  ['http://auth.example.org:8443/', false],
  ['http://mirror.internal:8080/', true],
  ['https://mirror.internal:8080/', true],
  ['http://mirror.internal/', false],
  ['http://evil.org/http://mirror.internal:8080', false],
  ['https://auth.example.org:8443/', true],
  ['https://auth.example.org/', false],
  ['https://[2001:db8::1]/', true],
  ['https://api.example.org.evil.org/', false],
  ['https://evil.org/api.example.org', false],
  ['https://api.example.org@evil.org/', false],
  ['https://evil.org#@api.example.org', false],
  ['https://xapi.example.org/', false],
])('permits a request to %s: %j', (address, permitted) => {
  const destination = destinationOf(address);
  const hosts = ['api.example.org', 'auth.example.org:8443', '[2001:db8::1]', 'http://mirror.internal:8080'];
  expect(destination !== undefined && maySendTo(hosts, destination)).toBe(permitted);
  expect(destination !== undefined && maySendTo(null, destination)).toBe(true);
});

test('an address with and without brackets is the same, and other schemes are rejected', () => {
  expect(maySendTo(['[2001:db8::1]:9092'], { host: '2001:db8::1', port: 9092, secure: true })).toBe(true);
  expect(maySendTo(['[2001:db8::1]:9092'], { host: '2001:db8::1', port: 9092, secure: false })).toBe(false);
  expect(maySendTo(['http://[2001:db8::1]:9092'], { host: '2001:db8::1', port: 9092, secure: false })).toBe(true);
  expect(maySendTo(['[2001:db8::1]:9092'], { host: '2001:db8::1', port: 9093, secure: true })).toBe(false);
  expect(maySendTo(['[2001:db8::1]'], { host: '2001:db8:0:0::1', port: 1, secure: true })).toBe(true);
  expect(maySendTo(['[2001:DB8:0:0::1]'], { host: '[2001:db8::1]', port: 1, secure: true })).toBe(true);
  expect([destinationOf('ftp://api.example.org/'), destinationOf('nothing')]).toEqual([undefined, undefined]);
});

test.each([
  'evil.org@api.example.org',
  'api.example.org/@evil.org',
  'api.example.org#evil',
  'api.example.org\\x',
  'api.\texample.org',
])('never binds a host with other parts of a URL: %j', (host) =>
  expect(maySendTo(['api.example.org'], { host, port: 443, secure: true })).toBe(false),
);
