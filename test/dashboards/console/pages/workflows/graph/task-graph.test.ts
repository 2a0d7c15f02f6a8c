import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { taskRecords } from '#api/workflows/records/task-records.ts';
import { layOut } from '#dashboards/console/src/pages/workflows/graph/layout.ts';
import { taskGraph } from '#dashboards/console/src/pages/workflows/graph/task-graph.ts';
import { type Task, taskTree } from '#dashboards/console/src/pages/workflows/graph/task-tree.ts';

const treeOf = (yaml: string) => taskTree(taskRecords(parse(yaml)));
const example = async (name: string) =>
  treeOf(await readFile(new URL(`../../../../../../examples/workflows/${name}.yaml`, import.meta.url), 'utf8'));
const last = (path: string) => path.split('/').at(-1) ?? path;
const edgesOf = (tasks: readonly Task[]) =>
  taskGraph(tasks).edges.map(({ from, to, label }) =>
    [last(from), label === undefined ? '' : label, last(to)].join(' '),
  );

test('draws an example with try, switch and jumps in execution order', async () => {
  expect(edgesOf(await example('isolate-host')).sort()).toEqual(
    [
      'start  ask',
      'ask  answer',
      'answer on error tooLate',
      'answer  decided',
      'tooLate  decided',
      'decided granted quarantine',
      'decided otherwise refused',
      'refused  end',
      'quarantine  note',
      'note  done',
      'done  end',
    ].sort(),
  );
});

test('fork branches begin together, raise ends, exit leaves its list', () => {
  const tasks = treeOf(
    `
do:
  - both: { fork: { branches: [{ a: { set: {} } }, { b: { set: {} } }] } }
  - loop:
      for: { each: x, in: .xs }
      do: [{ out: { set: {}, then: exit } }, { bad: { raise: {} } }]
  - fin: { wait: PT1S }
`,
  );
  expect(edgesOf(tasks).sort()).toEqual(['start  a', 'start  b', 'a  out', 'b  out', 'out  fin', 'fin  end'].sort());
});

test('every task has its own position inside its group', async () => {
  for (const name of ['isolate-host', 'enrich-detection', 'nightly-report']) {
    const { nodes, groups, width, height } = layOut(taskGraph(await example(name)));
    for (const { box } of [...nodes, ...groups]) {
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.y).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
      expect(box.y + box.height).toBeLessThanOrEqual(height);
    }
    for (const [index, a] of nodes.entries())
      for (const b of nodes.slice(index + 1))
        expect(
          a.box.x + a.box.width <= b.box.x ||
            b.box.x + b.box.width <= a.box.x ||
            a.box.y + a.box.height <= b.box.y ||
            b.box.y + b.box.height <= a.box.y,
          `${a.label} and ${b.label}`,
        ).toBe(true);
  }
});

test('draws a workflow without tasks as start and end', () => {
  expect(taskGraph(treeOf('do: []')).edges).toMatchObject([{ from: 'start', to: 'end' }]);
});
