import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createPasswordLinks } from '#api/accounts/admin/password-link.ts';
import { createAudit } from '#api/audit/audit.ts';
import type { CommittedAuditEntry } from '#api/audit/port.ts';
import { accountSystem, BASE_URL, origin, PASSWORD } from '../account-fixture.ts';

const NEW_PASSWORD = 'quartz-ladder-moss-12';
const system = await accountSystem();
const audited: CommittedAuditEntry[] = [];
const createPasswordLink = createPasswordLinks({
  database: system.database,
  audit: createAudit({ onCommitted: (entry) => void audited.push(entry) }),
  publicUrl: () => BASE_URL,
});
const by = () => ({ actor: 'operator', origin: origin() });

test('a link sets a password, once, and the log names who created it', async () => {
  const user = await system.addUser('ada');
  const link = await createPasswordLink(user.id, by());
  if (typeof link === 'string') expect.fail(link);
  const token = /^https:\/\/trapline\.example\.org\/auth\/reset-password\?token=([\w-]{43})$/.exec(link.url)?.[1] ?? '';
  expect(await system.accounts.signIn('ada@example.org', PASSWORD, origin())).toMatchObject({ kind: 'signed-in' });
  expect(await system.accounts.resetPassword(token, NEW_PASSWORD, origin())).toEqual({ kind: 'reset' });
  expect(await system.accounts.resetPassword(token, PASSWORD, origin())).toEqual({ kind: 'refused' });
  expect(await system.accounts.signIn('ada@example.org', NEW_PASSWORD, origin())).toMatchObject({ kind: 'signed-in' });
  expect(audited).toMatchObject([{ action: 'password.link', actor: 'operator', target: `user:${user.id}` }]);
  expect(JSON.stringify(audited)).not.toContain(token);
});

test('there is no link for an account that is disabled or does not exist', async () => {
  const user = await system.addUser('disabled');
  await system.database.updateTable('users').set({ disabled: true }).where('id', '=', user.id).execute();
  expect(await createPasswordLink(user.id, by())).toBe('disabled');
  expect(await createPasswordLink(randomUUID(), by())).toBe('no such user');
});
