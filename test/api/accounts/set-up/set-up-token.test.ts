import { expect, test } from 'vitest';
import { isSetUpToken, SET_UP_MINUTES, setUpToken } from '#api/accounts/set-up/set-up-token.ts';

const NOW = new Date('2026-03-01T00:00:00.000Z');
const later = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

test('a token is valid for half an hour, under each of the secrets', () => {
  const token = setUpToken(['old'], NOW);
  expect(isSetUpToken(['new', 'old'], token, later(SET_UP_MINUTES - 1))).toBe(true);
  expect(isSetUpToken(['old'], token, later(SET_UP_MINUTES))).toBe(false);
  expect(isSetUpToken(['new'], token, NOW)).toBe(false);
});

test('rejects a token with another time, signature or form', () => {
  const [expires = '', signature = ''] = setUpToken(['secret'], NOW).split('.');
  for (const token of [
    `${Number(expires) + 60}.${signature}`,
    `${expires}.${signature.slice(1)}A`,
    `${expires}.${signature} `,
    `0${expires}.${signature}`,
    `${expires}.`,
    expires,
    '',
  ])
    expect(isSetUpToken(['secret'], token, NOW), token).toBe(false);
});
