import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { WorkflowDefinition } from '#api/executions/engine/contract/port.ts';
import { checkSupported } from '#api/executions/engine/release/check-supported.ts';
import { validateShape } from '#api/workflows/definitions/validate-shape.ts';
import { addTask, describe, lineOf, moveTask } from '#dashboards/console/src/pages/workflows/editor/edit-yaml.ts';
import { TASK_TEMPLATES } from '#dashboards/console/src/pages/workflows/editor/task-templates.ts';

const TEXT = `# a workflow
document: { dsl: "1.0.0", namespace: default, name: test, version: 1.0.0 }
do:
  # the first
  - first:
      set: { a: 1 } # one
  - second:
      try:
        # inner
        - inner:
            set: { b: 2 }
        - other:
            set:
              text: >-
                folded
                text
      catch:
        do: []
  # the third
  - third:
      set: { c: 3 }
# the end
`;

test('moves a task with its comments and changes nothing else', () => {
  expect(moveTask(TEXT, ['do', 2, 'third'], 0)).toBe(
    TEXT.replace('  # the third\n  - third:\n      set: { c: 3 }\n', '').replace(
      '  # the first\n',
      '  # the third\n  - third:\n      set: { c: 3 }\n  # the first\n',
    ),
  );
  const inner = moveTask(TEXT, ['do', 1, 'second', 'try', 0, 'inner'], 1);
  expect(inner).toContain('                folded\n                text\n        # inner\n        - inner:');
  expect(moveTask(inner ?? '', ['do', 1, 'second', 'try', 1, 'inner'], 0)).toBe(TEXT);
  expect(moveTask(TEXT, ['do', 0, 'first'], -1)).toBeUndefined();
  expect(moveTask(TEXT, ['do', 2, 'third'], 3)).toBeUndefined();
});

test('reformats a list in flow style and keeps the comments of the document', () => {
  const flow = 'do: [{ a: { set: 1 } }, { b: { set: 2 } }] # both\n';
  const result = moveTask(flow, ['do', 0, 'a'], 1);
  expect(parse(result ?? '')).toEqual({ do: [{ b: { set: 2 } }, { a: { set: 1 } }] });
  expect(result).toContain('# both');
});

test('adds a task with a unique name at its place and indentation', () => {
  const [set] = TASK_TEMPLATES;
  const once = addTask(TEXT, ['do'], 1, set as (typeof TASK_TEMPLATES)[number]) ?? '';
  expect(once).toBe(TEXT.replace('  - second:', '  - set:\n      set:\n        value: 1\n  - second:'));
  const twice = addTask(once, ['do'], 4, set as (typeof TASK_TEMPLATES)[number]) ?? '';
  expect(twice).toContain('      set: { c: 3 }\n  - set2:\n      set:\n        value: 1\n# the end');
  expect(lineOf(once, ['do', 2, 'second'])).toBe(10);
});

test('every task template is valid without changes', () => {
  for (const template of TASK_TEMPLATES) {
    const definition = parse(addTask(TEXT, ['do'], 3, template) ?? '') as WorkflowDefinition;
    expect({ kind: template.kind, issues: validateShape(definition) }).toEqual({ kind: template.kind, issues: [] });
    expect({ kind: template.kind, refusals: checkSupported(definition) }).toEqual({
      kind: template.kind,
      refusals: [],
    });
  }
});

test('swapping tasks of the examples twice restores every byte', async () => {
  const folder = new URL('../../../../../../examples/workflows/', import.meta.url);
  for (const file of await readdir(folder)) {
    const text = await readFile(new URL(file, folder), 'utf8');
    const { do: tasks } = parse(text) as { do: object[] };
    for (let index = 1; index < tasks.length; index += 1) {
      const [name = ''] = Object.keys(tasks[index] ?? {});
      const once = moveTask(text, ['do', index, name], 0) ?? '';
      expect((parse(once) as { do: object[] }).do[0]).toEqual(tasks[index]);
      expect(moveTask(once, ['do', 0, name], index)).toBe(text);
    }
    expect(describe(text).title).toBeTruthy();
  }
});
