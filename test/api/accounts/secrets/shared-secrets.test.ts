import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { agreeOnSecret, compareSecret, recordSecret, type SharedSecret } from '#api/accounts/secrets/shared-secrets.ts';
import { createDatabase } from '#api/postgres/database.ts';
import { usePostgres } from '#test/support/use-services.ts';

const { url, database } = await usePostgres();
const newSecret = () => randomBytes(32).toString('base64url');
const newName = () => `SECRET_${randomBytes(6).toString('hex')}`;
const secretOf = (name: string, ...values: [string, ...string[]]): SharedSecret => ({ name, values });

test('the first process records its secret, and others need the same one', async () => {
  const [name, one, two] = [newName(), newSecret(), newSecret()];
  expect(await compareSecret(database, secretOf(name, one))).toBe('unrecorded');
  expect(await agreeOnSecret(database, secretOf(name, one))).toBe(true);
  expect(await agreeOnSecret(database, secretOf(name, one))).toBe(true);
  expect(await agreeOnSecret(database, secretOf(name, two))).toBe(false);
  expect(await compareSecret(database, secretOf(name, two))).toBe('different');
  // A rejected process changes nothing.
  expect(await compareSecret(database, secretOf(name, one))).toBe('current');
});

test('a secret is rotated by a list with the recorded one, whose first then applies', async () => {
  const [name, old, fresh] = [newName(), newSecret(), newSecret()];
  await agreeOnSecret(database, secretOf(name, old));
  // Rotation: first every process accepts the new secret, then every process signs with it, then the old one is
  // removed.
  expect(await agreeOnSecret(database, secretOf(name, old, fresh))).toBe(true);
  expect(await compareSecret(database, secretOf(name, fresh))).toBe('different');
  expect(await compareSecret(database, secretOf(name, fresh, old))).toBe('older');
  expect(await agreeOnSecret(database, secretOf(name, fresh, old))).toBe(true);
  expect(await agreeOnSecret(database, secretOf(name, old, fresh))).toBe(true);
  expect(await agreeOnSecret(database, secretOf(name, fresh, old))).toBe(true);
  expect(await agreeOnSecret(database, secretOf(name, fresh))).toBe(true);
  expect(await agreeOnSecret(database, secretOf(name, old))).toBe(false);
});

test('one of several processes that start with different secrets succeeds', async () => {
  const name = newName();
  const others = Array.from({ length: 4 }, () => createDatabase({ url, connections: 1 }));
  const secrets = others.map(() => secretOf(name, newSecret()));
  const agreed = await Promise.all(others.map((other, index) => agreeOnSecret(other, secrets[index] as SharedSecret)));
  await Promise.all(others.map((other) => other.destroy()));
  expect(agreed.filter(Boolean)).toHaveLength(1);
  const winner = secrets[agreed.indexOf(true)] as SharedSecret;
  expect(await compareSecret(database, winner)).toBe('current');
});

test('a lost secret is replaced deliberately', async () => {
  const [name, lost, fresh] = [newName(), newSecret(), newSecret()];
  await agreeOnSecret(database, secretOf(name, lost));
  await recordSecret(database, secretOf(name, fresh));
  expect(await agreeOnSecret(database, secretOf(name, fresh))).toBe(true);
  expect(await agreeOnSecret(database, secretOf(name, lost))).toBe(false);
});

test('the table reveals neither a secret nor equal secrets of two settings', async () => {
  const [one, other, secret] = [newName(), newName(), newSecret()];
  await Promise.all([one, other].map((name) => agreeOnSecret(database, secretOf(name, secret))));
  const rows = await database.selectFrom('secretFingerprints').selectAll().where('name', 'in', [one, other]).execute();
  expect(new Set(rows.map(({ salt }) => salt.toString('hex'))).size).toBe(2);
  expect(new Set(rows.map(({ hash }) => hash.toString('hex'))).size).toBe(2);
  for (const { salt, hash } of rows) {
    expect([salt.length, hash.length]).toEqual([16, 32]);
    for (const column of [salt, hash]) {
      expect(column.includes(secret)).toBe(false);
      expect(column.includes(Buffer.from(secret, 'base64url'))).toBe(false);
    }
  }
});
