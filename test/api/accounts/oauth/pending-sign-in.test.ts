import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createPendingSignIns } from '#api/accounts/oauth/pending-sign-in.ts';

const OLD = 'old secret '.repeat(4);
const NEW = 'new secret '.repeat(4);
const PENDING = { provider: 'idp', state: 's', nonce: 'n', codeVerifier: 'the verifier', returnTo: '/x' };

afterEach(() => {
  vi.useRealTimers();
});

describe('a pending sign-in', () => {
  test('is restored unchanged, and cannot be read on the way', async () => {
    const sealed = await createPendingSignIns([NEW]).seal(PENDING);
    expect(await createPendingSignIns([NEW]).open(sealed)).toEqual(PENDING);
    const parts = sealed.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    expect(parts.join()).not.toContain(PENDING.codeVerifier);
  });

  test('remains valid after a change of the secret while the old one is listed', async () => {
    const sealed = await createPendingSignIns([OLD]).seal(PENDING);
    expect(await createPendingSignIns([NEW, OLD]).open(sealed)).toEqual(PENDING);
    expect(await createPendingSignIns([NEW]).open(sealed)).toBeUndefined();
  });

  test('expires after ten minutes', async () => {
    const begun = Date.parse('2026-11-23T10:00:00.900Z');
    vi.useFakeTimers({ toFake: ['Date'], now: begun });
    const sealed = await createPendingSignIns([NEW]).seal(PENDING);
    // In whole seconds.
    vi.setSystemTime(begun + 599_000);
    expect(await createPendingSignIns([NEW]).open(sealed)).toEqual(PENDING);
    vi.setSystemTime(begun + 601_000);
    expect(await createPendingSignIns([NEW]).open(sealed)).toBeUndefined();
  });

  test('is rejected if it was changed or forged', async () => {
    const sealing = createPendingSignIns([NEW]);
    const sealed = await sealing.seal(PENDING);
    await fc.assert(
      fc.asyncProperty(fc.nat(sealed.length - 1), fc.constantFrom('A', 'b', '.', '7'), async (at, character) => {
        const changed = sealed.slice(0, at) + character + sealed.slice(at + 1);
        // The last character of base64url may contain bits that the decoder ignores.
        const same = (text: string) => text.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'));
        fc.pre(same(changed).join() !== same(sealed).join());
        expect(await sealing.open(changed)).toBeUndefined();
      }),
      { numRuns: 200 },
    );
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        expect(await sealing.open(text)).toBeUndefined();
      }),
      { numRuns: 100 },
    );
  });
});
