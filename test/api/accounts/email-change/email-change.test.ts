import { expect, test } from 'vitest';
import { deleteExpired } from '#api/accounts/retention.ts';
import { accountSystem, origin, PASSWORD } from '../account-fixture.ts';

const system = await accountSystem();
const { database, accounts } = system;
const withoutMail = await accountSystem({ database, confirmsByMail: false, registration: ['example.org'] });

/** A user and the session of the current request. */
async function signedIn(name: string) {
  const user = await system.addUser(name);
  const { token } = await system.sessions.open(database, user, origin());
  const caller = await system.sessions.authenticate(token);
  if (caller === undefined) throw new Error(`the session of ${name} is refused`);
  return { user, caller, token };
}

/** Requests a change and reads the token from the mail to the new address. */
async function linkFor(caller: Awaited<ReturnType<typeof signedIn>>['caller'], email: string): Promise<string> {
  expect(await accounts.requestEmailChange(caller, { email, password: PASSWORD }, origin())).toEqual({
    kind: 'link-sent',
  });
  const [mail] = await system.deliver();
  expect(mail?.to).toBe(email.toLowerCase());
  return /\/auth\/confirm-email\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
}

test('the address changes once when the link in the new mailbox is used, and the old address is notified', async () => {
  const { user, caller, token: session } = await signedIn('ada');
  const reset = await system.resetTokenFor(user.email);
  const token = await linkFor(caller, 'Ada@New.example.org');
  expect(await system.user(user.email)).toMatchObject({ id: user.id });

  expect(await accounts.confirmEmailChange(token, origin())).toBe('ada@new.example.org');
  expect(await system.user('ada@new.example.org')).toMatchObject({ id: user.id, emailVerified: true });
  const [notice] = await system.deliver();
  expect(notice).toMatchObject({ to: user.email, subject: 'The e-mail address of your Trapline account has changed' });
  expect(notice?.text).not.toContain('new.example.org');
  expect(await accounts.confirmEmailChange(token, origin())).toBeUndefined();
  expect(await accounts.resetPassword(reset, 'quartz-ladder-moss-12', origin())).toEqual({ kind: 'refused' });
  expect(await system.sessions.authenticate(session)).toMatchObject({ email: 'ada@new.example.org' });
  expect(await accounts.signIn('ada@new.example.org', PASSWORD, origin())).toMatchObject({ kind: 'signed-in' });
  expect(system.audited.filter(({ action }) => action.startsWith('email.'))).toMatchObject([
    { action: 'email.change.request', target: `user:${user.id}` },
    { action: 'email.change', diff: { email: { before: user.email, after: 'ada@new.example.org' } } },
  ]);
});

test('a wrong password changes nothing and counts as a failed sign-in', async () => {
  const { user, caller } = await signedIn('stolen');
  const change = { email: 'thief@example.org', password: 'a wrong guess' };
  expect(await accounts.requestEmailChange(caller, change, origin())).toEqual({ kind: 'refused' });
  expect(await withoutMail.accounts.requestEmailChange(caller, change, origin())).toEqual({ kind: 'refused' });
  expect(await system.deliver()).toEqual([]);
  expect(await system.user(user.email)).toMatchObject({ failedLoginAttempts: 2 });
});

test('an address of another account gets no link; one registered in the meantime is rejected', async () => {
  const { caller } = await signedIn('carol');
  await system.addUser('dave');
  const taken = { email: 'dave@example.org', password: PASSWORD };
  expect(await accounts.requestEmailChange(caller, taken, origin())).toEqual({ kind: 'link-sent' });
  expect(await system.deliver()).toEqual([]);

  const token = await linkFor(caller, 'erin@example.org');
  await system.addUser('erin');
  expect(await accounts.confirmEmailChange(token, origin())).toBeUndefined();
});

test('a second request replaces the first; an expired link is rejected and deleted', async () => {
  const { caller } = await signedIn('frank');
  const first = await linkFor(caller, 'frank-1@example.org');
  const second = await linkFor(caller, 'frank-2@example.org');
  expect(await accounts.confirmEmailChange(first, origin())).toBeUndefined();
  await database
    .updateTable('emailChanges')
    .set({ expiresAt: new Date(Date.now() - 1000) })
    .where('userId', '=', caller.userId)
    .execute();
  expect(await accounts.confirmEmailChange(second, origin())).toBeUndefined();
  expect((await deleteExpired(database)).emailChanges).toBeGreaterThanOrEqual(1);
});

test('a new password cancels the change: neither a sent link nor a queued mail changes the address', async () => {
  const { user, caller } = await signedIn('judy');
  const token = await linkFor(caller, 'thief-1@example.org');
  const next = 'quartz-ladder-moss-34';
  expect(await accounts.changePassword(caller, { current: PASSWORD, next }, origin())).toMatchObject({
    kind: 'changed',
  });
  expect(await accounts.confirmEmailChange(token, origin())).toBeUndefined();

  const reset = await system.resetTokenFor(user.email);
  const change = { email: 'thief-2@example.org', password: next };
  expect(await accounts.requestEmailChange(caller, change, origin())).toEqual({ kind: 'link-sent' });
  expect(await accounts.resetPassword(reset, 'quartz-ladder-moss-56', origin())).toEqual({ kind: 'reset' });
  expect(await system.deliver()).toEqual([]);
  expect(await system.user(user.email)).toMatchObject({ id: user.id });
});

test('a session changes nothing if the address now belongs to another account', async () => {
  const { user, caller } = await signedIn('kim');
  await database.updateTable('users').set({ email: 'kim-2@example.org' }).where('id', '=', user.id).execute();
  await database
    .updateTable('users')
    .set({ email: user.email })
    .where('id', '=', (await system.addUser('lee')).id)
    .execute();
  const change = { email: 'kim-3@example.org', password: PASSWORD };
  expect(await accounts.requestEmailChange(caller, change, origin())).toEqual({ kind: 'refused' });
  expect(await system.deliver()).toEqual([]);
});

test('without a mail server the password suffices, and the address is not verified', async () => {
  const { user, caller } = await signedIn('grace');
  const change = (email: string) =>
    withoutMail.accounts.requestEmailChange(caller, { email, password: PASSWORD }, origin());
  expect(await change(user.email.toUpperCase())).toEqual({ kind: 'same' });
  expect(await change('grace@elsewhere.example')).toEqual({ kind: 'domain-refused' });
  await system.addUser('heidi');
  expect(await change('heidi@example.org')).toEqual({ kind: 'taken' });
  expect(await change('grace-2@example.org')).toEqual({ kind: 'changed' });
  expect(await system.user('grace-2@example.org')).toMatchObject({
    id: user.id,
    emailVerified: false,
    failedLoginAttempts: 0,
  });
  expect(withoutMail.audited).toMatchObject([{ action: 'email.change', actor: `user:${user.id}` }]);
});

test('a disabled account keeps its address', async () => {
  const { user, caller } = await signedIn('ivan');
  const token = await linkFor(caller, 'ivan-2@example.org');
  await database.updateTable('users').set({ disabled: true }).where('id', '=', user.id).execute();
  expect(await accounts.confirmEmailChange(token, origin())).toBeUndefined();
  expect(await system.user(user.email)).toMatchObject({ id: user.id });
});
