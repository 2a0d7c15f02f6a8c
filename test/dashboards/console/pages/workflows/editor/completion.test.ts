import { expect, test } from 'vitest';
import { DSL_SCHEMA } from '#api/workflows/definitions/dsl-schema.ts';
import { completionsAt } from '#dashboards/console/src/pages/workflows/editor/completion.ts';

/** Returns the completions at the cursor position `|`. */
function at(text: string): string[] {
  const cursor = text.indexOf('|');
  return completionsAt(text.replace('|', ''), cursor, DSL_SCHEMA).items.map(({ text: item }) => item);
}

test.each<[string, string, readonly string[]]>([
  ['keys of the document', '|', ['do: ', 'document: ', 'schedule: ']],
  ['keys that are begun', 'document: {}\nsch|', ['schedule: ']],
  ['keys of a task', 'do:\n  - greet:\n      |', ['call: ', 'set: ', 'listen: ', 'if: ']],
  ['keys of a task in a task', 'do:\n  - a:\n      try:\n        - b:\n            em|', ['emit: ']],
  ['keys after others', 'do:\n  - greet:\n      set:\n        a: 1\n      th|', ['then: ']],
  ['values of a key', 'do:\n  - greet:\n      call: ht|', ['http']],
  ['functions of the service', 'do:\n  - greet:\n      call: trapline.e|', ['trapline.event.list']],
  ['keys of a call', 'do:\n  - greet:\n      call: http\n      with:\n        |', ['endpoint: ', 'method: ']],
])('%s', (_, text, expected) => {
  expect(at(text)).toEqual(expect.arrayContaining([...expected]));
});

test('offers nothing that exists already, and nothing inside a text', () => {
  expect(at('document: {}\n|')).not.toContain('document: ');
  expect(at('do:\n  - a:\n      set:\n        b: hello wor|')).toEqual([]);
});

test('offers calls of later versions of the language with their arguments', () => {
  expect(at('do:\n  - a:\n      call: |')).toEqual(expect.arrayContaining(['http', 'openapi', 'mcp', 'a2a']));
  expect(at('do:\n  - a:\n      call: mcp\n      with:\n        |')).toEqual(
    expect.arrayContaining([expect.stringContaining('transport'), expect.stringContaining('method')]),
  );
});
