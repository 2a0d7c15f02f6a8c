import { expect, test } from 'vitest';
import { type Assertion, checkAssertion } from '#api/accounts/saml/assertion.ts';

const NOW = Date.parse('2026-01-02T03:00:00Z');
const EXPECTED = { issuer: 'https://idp.example.org', audience: 'audience', recipient: 'https://here.example.org/acs' };
const confirmation = (notOnOrAfter: string) => ({
  method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
  recipient: EXPECTED.recipient,
  notBefore: undefined,
  notOnOrAfter,
  inResponseTo: undefined,
});
const assertion = (...ends: string[]): Assertion => ({
  id: '_1',
  issuer: EXPECTED.issuer,
  nameId: undefined,
  confirmations: ends.map(confirmation),
  conditions: { notBefore: undefined, notOnOrAfter: '2026-01-02T03:01:00Z', audiences: [[EXPECTED.audience]] },
  authenticated: true,
  sessionNotOnOrAfter: undefined,
  sessionIndex: undefined,
  attributes: new Map(),
});

test('remembers an assertion until none of its confirmations would be accepted again', () => {
  const { expiresAt } = checkAssertion(
    assertion('2026-01-02T03:05:00Z', '2026-01-02T04:00:00Z', 'no time'),
    EXPECTED,
    NOW,
  );
  expect(expiresAt.toISOString()).toBe('2026-01-02T04:02:00.000Z');
});
