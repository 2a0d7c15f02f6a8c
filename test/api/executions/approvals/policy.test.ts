import { expect, test } from 'vitest';
import { type Decider, refusalOf, verdictOf } from '#api/executions/approvals/may-decide.ts';
import { type ApprovalPolicy, policyOf, policyProblems } from '#api/executions/approvals/policy.ts';
import type { JsonValue } from '#api/executions/json-value.ts';

const LISTEN = { to: { one: { with: { type: 'org.example.decided' } } } };
const task = (approval: JsonValue, listen: JsonValue = LISTEN) => ({ metadata: { approval }, listen });
const messages = (approval: JsonValue, listen?: JsonValue) =>
  policyProblems(task(approval, listen)).map(({ path, message }) => `${path.join('.')}: ${message}`);

test('reads a policy from the metadata of a task, with defaults', () => {
  expect(policyOf({ listen: LISTEN })).toBeUndefined();
  expect(policyOf(task({}))).toEqual({ approvers: [], except: [], count: 1 });
  const full = { approvers: [{ user: 'ana' }, { team: 'soc' }, { role: 'admin' }], except: ['starter'], count: 2 };
  expect(policyOf(task(full))).toEqual(full);
  expect(messages(full)).toEqual([]);
});

test.each<[string, JsonValue, JsonValue | undefined, string]>([
  ['no object', 'ana', undefined, 'an object with'],
  ['an unknown key', { approver: 'ana' }, undefined, 'not `approver`'],
  ['an unknown role', { approvers: [{ role: 'boss' }] }, undefined, 'one of `user`, `team` and `role`'],
  ['no approvers', { approvers: [] }, undefined, 'a list of 1 to 50'],
  ['an unknown exception', { except: ['owner'] }, undefined, '`starter` and `lastEditor`'],
  ['too many', { count: 11 }, undefined, 'from 1 to 10'],
  ['several events', {}, { to: { any: [{ with: { type: 'a' } }] } }, 'exactly `one` event'],
  ['a pattern', {}, { to: { one: { with: { type: 'org.*' } } } }, 'not a pattern'],
  ['no type', {}, { to: { one: { with: { source: 'a' } } } }, 'has a `type`'],
  [
    'a filter of data',
    {},
    { to: { one: { with: { type: 'a', data: { approved: true } } } } },
    'a rejection has to pass',
  ],
  [
    'a correlation that is no path',
    {},
    { to: { one: { with: { type: 'a' }, correlate: { id: { from: '${ .data | keys }' } } } } },
    'a path as `from`',
  ],
])('a release rejects %s', (_, approval, listen, message) => {
  expect(messages(approval, listen)).toEqual([expect.stringContaining(message)]);
});

test('only a listen task waits for an approval', () => {
  expect(policyProblems({ metadata: { approval: {} }, set: {} })).toHaveLength(1);
});

const ANA: Decider = {
  username: 'Ana',
  role: 'analyst',
  teams: ['soc'],
  active: true,
  mayApprove: false,
  isStarter: false,
  isLastEditor: false,
};
const policy = (change: Partial<ApprovalPolicy>): ApprovalPolicy => ({
  approvers: [],
  except: [],
  count: 1,
  ...change,
});

test.each<[string, ApprovalPolicy | null, Partial<Decider>, string | undefined]>([
  ['without a policy, the right decides', null, { mayApprove: true }, undefined],
  ['without a policy and without the right', null, {}, 'not-named'],
  ['without approvers, the right decides', policy({}), { mayApprove: true }, undefined],
  [
    'the right does not help against named approvers',
    policy({ approvers: [{ team: 'it' }] }),
    { mayApprove: true },
    'not-named',
  ],
  ['by name, whatever the case', policy({ approvers: [{ user: 'ana' }] }), {}, undefined],
  ['by team', policy({ approvers: [{ team: 'soc' }] }), {}, undefined],
  ['by role, or a higher one', policy({ approvers: [{ role: 'user' }] }), {}, undefined],
  ['a lower role', policy({ approvers: [{ role: 'admin' }] }), {}, 'not-named'],
  ['the starter', policy({ approvers: [{ team: 'soc' }], except: ['starter'] }), { isStarter: true }, 'starter'],
  [
    'the last editor',
    policy({ approvers: [{ team: 'soc' }], except: ['lastEditor'] }),
    { isLastEditor: true },
    'last-editor',
  ],
  ['a disabled account', policy({ approvers: [{ user: 'ana' }] }), { active: false }, 'not-named'],
])('decides who may approve: %s', (_, given, change, expected) => {
  expect(refusalOf(given, { ...ANA, ...change })).toBe(expected);
});

test('one rejection ends the approval, which otherwise needs the required number', () => {
  const [yes, no] = [{ approved: true }, { approved: false }];
  expect(verdictOf(null, [yes])).toBe('approved');
  expect(verdictOf(policy({ count: 2 }), [yes])).toBeUndefined();
  expect(verdictOf(policy({ count: 2 }), [yes, yes])).toBe('approved');
  expect(verdictOf(policy({ count: 3 }), [yes, no])).toBe('rejected');
});
