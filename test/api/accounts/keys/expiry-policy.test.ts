import { expect, test } from 'vitest';
import { expiryOf } from '#api/accounts/keys/expiry-policy.ts';

const NOW = Date.UTC(2026, 0, 2);
const day = (days: number) => new Date(NOW + days * 86_400_000);

test.each([
  [undefined, null, { kind: 'expiry', expiresAt: undefined }],
  [day(9_000), null, { kind: 'expiry', expiresAt: day(9_000) }],
  [undefined, 90, { kind: 'expiry', expiresAt: day(90) }],
  [day(90), 90, { kind: 'expiry', expiresAt: day(90) }],
  [day(91), 90, { kind: 'too-late', latest: day(90) }],
] as const)('wanted %s, at most %s days: %j', (wanted, maxDays, expiry) => {
  expect(expiryOf(wanted, NOW, maxDays)).toEqual(expiry);
});
