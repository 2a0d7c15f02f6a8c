import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { isScanSignature, scannerKeysOf } from '#api/accounts/keys/leaks/scan-signature.ts';
import { createScannerKeys, ScannerKeysUnavailable } from '#api/accounts/keys/leaks/scanner-keys.ts';

const list = (...ids: string[]) =>
  JSON.stringify({ public_keys: ids.map((id) => ({ key_identifier: id, key: `key ${id}`, is_current: true })) });

test('accepts only a signature of these bytes by this key', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const body = Buffer.from('[{"token":"t"}]');
  const signature = sign('sha256', body, privateKey).toString('base64');
  expect(isScanSignature(pem, body, signature)).toBe(true);
  expect(isScanSignature(pem, Buffer.from('[{"token":"u"}]'), signature)).toBe(false);
  expect(isScanSignature(pem, body, '')).toBe(false);
  expect(isScanSignature('no key', body, signature)).toBe(false);
});

test('rejects a text that is not a list of keys', () => {
  expect(scannerKeysOf(list('a'))?.get('a')).toBe('key a');
  for (const text of ['', '{}', '{"public_keys":[{"key":1}]}', '[]']) expect(scannerKeysOf(text)).toBeUndefined();
});

test('fetches the list once an hour, and for an unknown id once a minute', async () => {
  let time = 0;
  let fetched = 0;
  const keys = createScannerKeys({ fetchList: async () => (++fetched > 3 ? list('a', 'b') : list('a')) }, () => time);
  expect(await Promise.all([keys.find('a'), keys.find('a')])).toEqual(['key a', 'key a']);
  expect(await keys.find('b')).toBeUndefined();
  expect(fetched).toBe(1);
  time += 60_000;
  expect([await keys.find('b'), await keys.find('b'), fetched]).toEqual([undefined, undefined, 2]);
  time += 3_600_000;
  expect([await keys.find('a'), fetched]).toEqual(['key a', 3]);
  time += 60_000;
  expect([await keys.find('b'), fetched]).toEqual(['key b', 4]);
});

test('fails temporarily without a list, and retries a minute later', async () => {
  let time = 0;
  const answers = [undefined, 'no list', list('a')];
  const keys = createScannerKeys({ fetchList: async () => answers.shift() }, () => time);
  for (let tries = 0; tries < 2; tries += 1) {
    await expect(keys.find('a')).rejects.toThrow(ScannerKeysUnavailable);
    await expect(keys.find('a')).rejects.toThrow(ScannerKeysUnavailable);
    time += 60_000;
  }
  expect(await keys.find('a')).toBe('key a');
});
