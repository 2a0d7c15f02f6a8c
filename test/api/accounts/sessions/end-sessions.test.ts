import { expect, test } from 'vitest';
import { sessionsOf } from '#api/accounts/tables/sessions.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { accountSystem, origin } from '../account-fixture.ts';

const system = await accountSystem();
const { database, accounts, sessions } = system;

async function userWithSessions(name: string, count: number) {
  const user = await system.addUser(name);
  const opened = [];
  for (let made = 0; made < count; made += 1) opened.push(await sessions.open(database, user, origin()));
  const caller = await sessions.authenticate(opened[0]?.token ?? '');
  if (caller === undefined) throw new Error('the session is refused');
  return { user, opened, caller };
}

test('a user ends an own session, and never that of another user', async () => {
  const { opened, caller } = await userWithSessions('ada', 2);
  const foreign = await userWithSessions('bert', 1);
  const foreignId = foreign.opened[0]?.sessionId ?? '';
  expect(await accounts.endSessions.one(caller, foreignId, origin())).toBe(false);
  expect(await sessions.authenticate(foreign.opened[0]?.token ?? '')).toBeDefined();
  const endedId = opened[1]?.sessionId ?? '';
  const announced: string[] = [];
  await system.shared.channels.subscribe('sessions.ended', (message) => void announced.push(message));
  expect(await accounts.endSessions.one(caller, endedId, origin())).toBe(true);
  expect(await accounts.endSessions.one(caller, endedId, origin())).toBe(false);
  expect(await sessions.authenticate(opened[1]?.token ?? '')).toBeUndefined();
  await waitFor('the announcement', () => announced.includes(JSON.stringify({ sessionId: endedId })));
  expect(system.audited.filter(({ target }) => target === `session:${endedId}`)).toMatchObject([
    { action: 'session.end', actor: `user:${caller.userId}` },
  ]);
});

test('ends all other sessions and keeps the current one', async () => {
  const { user, opened, caller } = await userWithSessions('cleo', 4);
  expect(await accounts.endSessions.others(caller, origin())).toBe(3);
  expect((await sessionsOf(database, user.id)).map(({ id }) => id)).toEqual([opened[0]?.sessionId]);
  expect(await accounts.endSessions.others(caller, origin())).toBe(0);
});
