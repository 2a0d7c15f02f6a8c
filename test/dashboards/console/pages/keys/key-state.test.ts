import { expect, test } from 'vitest';
import { stateOfKey } from '#dashboards/console/src/pages/keys/key-state.ts';

test('a revoked key stays revoked; other keys expire at their expiry', () => {
  const now = Date.parse('2026-03-01T00:00:00Z');
  expect(stateOfKey({ revoked: true, expiresAt: '2026-01-01T00:00:00Z' }, now)).toBe('revoked');
  expect(stateOfKey({ revoked: false, expiresAt: '2026-03-01T00:00:00Z' }, now)).toBe('expired');
  expect(stateOfKey({ revoked: false, expiresAt: '2026-03-01T00:00:01Z' }, now)).toBe('active');
  expect(stateOfKey({ revoked: false, expiresAt: null }, now)).toBe('active');
});
