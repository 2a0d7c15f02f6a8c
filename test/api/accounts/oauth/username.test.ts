import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { usernameCandidates } from '#api/accounts/oauth/username.ts';

describe('usernames for users of a provider', () => {
  test.each([
    ['alice', 'x@example.org', 'alice'],
    ['Zoë Müller', 'x@example.org', 'Zoe-Muller'],
    ['李', 'li.wei@example.org', 'li-wei'],
    [undefined, 'first.last+tag@example.org', 'first-last-tag'],
    ['--', 'a@example.org', 'user'],
    ['a'.repeat(40), 'a@example.org', 'a'.repeat(32)],
  ])('%j with %j begins with %s', (login, email, first) => {
    expect(usernameCandidates(login, email).next().value).toBe(first);
  });

  test.each(['admin', 'Root', 'operator'])('%s is reserved', (login) => {
    const names = [...usernameCandidates(login, 'x@example.org')];
    expect(names).not.toContain(login);
    expect(names[0]).toMatch(new RegExp(`^${login}-\\d{4}$`));
  });

  test('all are valid usernames, and there are several', () => {
    fc.assert(
      fc.property(fc.option(fc.string({ unit: 'binary' }), { nil: undefined }), fc.string(), (login, email) => {
        const names = [...usernameCandidates(login, email)];
        for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{3,32}$/);
        expect(new Set(names).size).toBeGreaterThan(5);
      }),
      { numRuns: 60 },
    );
  });
});
