import { expect, test } from 'vitest';
import { checkPlatform } from '../../../bin/setup/platform.mjs';

test.each([
  [{ platform: 'darwin', arch: 'arm64', glibc: undefined }, 'Linux on x64 is needed, this is darwin on arm64'],
  [{ platform: 'linux', arch: 'arm64', glibc: '2.36' }, 'Linux on x64 is needed'],
  [{ platform: 'linux', arch: 'x64', glibc: '' }, 'a Linux with glibc is needed'],
] as const)('the error for %o names the requirement', (machine, message) => {
  expect(() => checkPlatform(machine)).toThrow(message);
});

test('accepts this machine', () => {
  expect(() => checkPlatform()).not.toThrow();
});
