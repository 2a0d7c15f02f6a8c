import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createPasswordLinks } from '#api/accounts/admin/password-link.ts';
import { createSendPasswordLink } from '#api/accounts/admin/send-password-link.ts';
import { createSignInLimits } from '#api/accounts/sign-in/sign-in-limits.ts';
import { createAudit } from '#api/audit/audit.ts';
import type { CommittedAuditEntry } from '#api/audit/port.ts';
import { createJobQueue } from '#api/jobs/queue.ts';
import { AUTH_SECRET, accountSystem, BASE_URL, origin, PASSWORD } from '../account-fixture.ts';

const NEW_PASSWORD = 'quartz-ladder-moss-12';
const system = await accountSystem();
const audited: CommittedAuditEntry[] = [];
const createPasswordLink = createPasswordLinks({
  database: system.database,
  audit: createAudit({ onCommitted: (entry) => void audited.push(entry) }),
  publicUrl: () => BASE_URL,
});
const sending = {
  database: system.database,
  audit: createAudit({ onCommitted: (entry) => void audited.push(entry) }),
  jobs: createJobQueue({ database: system.database, logger: { debug() {}, info() {}, warn() {}, error() {} } }),
  limits: createSignInLimits({ shared: system.shared }, { secret: AUTH_SECRET }),
};
const sendPasswordLink = createSendPasswordLink(sending, { mailServer: true });
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

test('a disabled or unknown account gets no link', async () => {
  const user = await system.addUser('disabled');
  await system.database.updateTable('users').set({ disabled: true }).where('id', '=', user.id).execute();
  expect(await createPasswordLink(user.id, by())).toBe('disabled');
  expect(await createPasswordLink(randomUUID(), by())).toBe('no such user');
});

test('a mailed link sets a password, and the log names who sent it', async () => {
  const user = await system.addUser('grace');
  audited.length = 0;
  expect(await sendPasswordLink(user.id, by())).toEqual({ kind: 'queued', email: 'grace@example.org' });
  expect(audited).toMatchObject([{ action: 'password.link.send', actor: 'operator', target: `user:${user.id}` }]);
  const [mail] = await system.deliver();
  expect(mail).toMatchObject({ to: 'grace@example.org', subject: 'Set your Trapline password' });
  const token = /\?token=([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? '';
  expect(await system.accounts.resetPassword(token, NEW_PASSWORD, origin())).toEqual({ kind: 'reset' });
});

test('sends no link to a former address of the account, and none without a mail server', async () => {
  const user = await system.addUser('moved');
  expect(await sendPasswordLink(user.id, by())).toMatchObject({ kind: 'queued' });
  await system.database.updateTable('users').set({ email: 'new@example.org' }).where('id', '=', user.id).execute();
  expect(await system.deliver()).toEqual([]);
  const withoutMail = createSendPasswordLink(sending, { mailServer: false });
  expect(await withoutMail(user.id, by())).toEqual({ kind: 'no mail server' });
});
