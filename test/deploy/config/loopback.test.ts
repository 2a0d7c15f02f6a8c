import { expect, test } from 'vitest';
import { isLoopback } from '#deploy/config/loopback.ts';

test.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['128.0.0.1', false],
  ['192.168.0.1', false],
  ['fe80::1', false],
])('%s is reachable only from this machine: %s', (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});
