import { describe, expect, test } from 'vitest';
import { checkedKind, kindOf, TASK_KINDS, taskKind } from '#api/executions/engine/kind-registry.ts';

test('the kinds are the files of the folder', () => {
  expect([...TASK_KINDS.keys()]).toContain('call');
  for (const [key, { note }] of TASK_KINDS) expect([key, note]).toEqual([key, expect.stringMatching(/\.$/)]);
});

test('a key selects the kind of a task; a for has a nested do', () => {
  expect(kindOf({ set: { a: 1 } })).toBe('set');
  expect(kindOf({ do: [], for: {} })).toBe('for');
  expect(kindOf({ do: [] })).toBe('do');
  expect(kindOf({ unknown: 1 })).toBeUndefined();
  expect(() => taskKind('unknown')).toThrow('unknown kind of task unknown');
});

describe('a file of the folder is rejected', () => {
  test('without an exported kind', () => {
    expect(() => checkedKind('sample.ts', undefined)).toThrow('kinds/sample.ts must export `kind`');
  });

  test('with a name that is not a key', () => {
    expect(() => checkedKind('my-task.ts', taskKind('set'))).toThrow('must be named after the key');
  });
});
