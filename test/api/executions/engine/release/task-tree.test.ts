import { expect, test } from 'vitest';
import { taskTree } from '#api/executions/engine/release/task-tree.ts';
import { workflow } from '../play.ts';

const KINDS = `
do:
  - ask: { call: http, with: { method: post, endpoint: { uri: https://example.com } }, then: end }
  - each: { for: { each: x, in: .xs }, do: [ { one: { set: {} } } ] }
  - both: { fork: { compete: true, branches: [ { a: { wait: PT1S } }, { b: { raise: { error: e } } } ] } }
  - guarded: { if: .ok, try: [ { risky: { run: { workflow: { name: w } } } } ], catch: { do: [ { late: { run: { script: { code: '1' } } } } ] } }
  - choose: { switch: [ { hot: { when: .hot, then: ask } }, { cold: { then: continue } } ] }
  - hear: { listen: { to: { any: [ { with: { type: t1 } }, { with: { type: t2 } } ] } }, foreach: { do: [ { heard: { set: {} } } ] } }`;

test('each kind describes its details, its lists and its control flow', () => {
  const [ask, each, both, guarded, choose, hear] = taskTree(workflow(KINDS));
  expect(ask).toMatchObject({
    path: '/do/0/ask',
    kind: 'call',
    detail: 'POST https://example.com',
    next: 'end',
    flow: 'sequence',
  });
  expect(each).toMatchObject({
    kind: 'for',
    detail: 'each x in .xs',
    lists: [{ role: 'do', tasks: [{ path: '/do/1/each/for/do/0/one' }] }],
  });
  expect(both).toMatchObject({ kind: 'fork', flow: 'parallel', detail: 'the first to complete wins' });
  expect(both?.lists.map(({ role, tasks }) => [role, tasks[0]?.path, tasks[0]?.flow])).toEqual([
    ['branch', '/do/2/both/fork/branches/0/a', 'sequence'],
    ['branch', '/do/2/both/fork/branches/1/b', 'end'],
  ]);
  expect(guarded).toMatchObject({ condition: '.ok', flow: 'attempt' });
  expect(guarded?.lists.map(({ role, tasks }) => [role, tasks[0]?.path, tasks[0]?.detail])).toEqual([
    ['try', '/do/3/guarded/try/0/risky', 'workflow w'],
    ['catch', '/do/3/guarded/catch/do/0/late', 'script, javascript'],
  ]);
  expect(choose).toMatchObject({
    flow: 'choice',
    cases: [
      { name: 'hot', when: '.hot', next: 'ask' },
      { name: 'cold', when: undefined, next: undefined },
    ],
  });
  expect(hear).toMatchObject({ detail: 't1, t2', lists: [{ role: 'foreach', tasks: [{ name: 'heard' }] }] });
});

test('omits values that are not tasks, and shows a task of an unknown kind', () => {
  expect(taskTree(null)).toEqual([]);
  expect(taskTree({ do: [1, { x: 'text' }, { y: { odd: 1 } }] })).toMatchObject([
    { name: 'y', kind: 'task', lists: [] },
  ]);
});
