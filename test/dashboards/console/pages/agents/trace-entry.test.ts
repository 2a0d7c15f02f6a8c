import { expect, test } from 'vitest';
import { fileTree } from '#dashboards/console/src/pages/agents/file-tree.ts';
import { traceEntries } from '#dashboards/console/src/pages/agents/trace-entry.ts';

test('shows trace entries with their times, including malformed lines', () => {
  const lines = [
    '{"at":"2026-03-01T12:00:00.000Z","type":"started","agent":"triage","version":2}',
    '{"at":"2026-03-01T12:00:00.250Z","type":"tool","tool":"events.list","given":{"limit":1},"ms":40,"error":"failed"}',
    'not JSON',
    '{"at":"2026-03-01T12:00:01.000Z","type":"ended","status":"completed"}',
  ];
  expect(
    traceEntries(lines.join('\n')).map(({ afterMs, title, tookMs, failed }) => [afterMs, title, tookMs, failed]),
  ).toEqual([
    [0, 'triage started with workspace version 2', undefined, false],
    [250, 'events.list', 40, true],
    [0, 'not JSON', undefined, false],
    [1_000, 'completed', undefined, false],
  ]);
  expect(traceEntries('')).toEqual([]);
});

test('sorts files by folder and name', () => {
  const tree = fileTree(['b.js', 'prompts/x/deep.md', 'prompts/a.md', 'a.js'].map((path) => ({ path })));
  expect(tree.files.map(({ name }) => name)).toEqual(['a.js', 'b.js']);
  expect(tree.folders).toMatchObject([
    { name: 'prompts', files: [{ name: 'a.md' }], folders: [{ name: 'x', files: [{ name: 'deep.md' }] }] },
  ]);
});
