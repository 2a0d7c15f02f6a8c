import { expect, test } from 'vitest';
import { withDocumentName } from '#dashboards/console/src/pages/workflows/document-name.ts';

const DEFINITION = `# name: of a comment
document:
  dsl: "1.0.0"
  name: my-workflow
  version: 1.0.0
do:
  - greet:
      set:
        name: my-workflow
`;

test('changes the name of the document and no other name', () => {
  expect(withDocumentName(DEFINITION, 'block-address')).toBe(
    DEFINITION.replace('\n  name: my-workflow', '\n  name: block-address'),
  );
});

test.each([
  ['an empty name', DEFINITION, ''],
  ['flow style', 'document: { dsl: "1.0.0", name: one }\ndo: []\n', 'two'],
  ['a document without a name', 'document:\n  dsl: "1.0.0"\ndo:\n  - a: { name: one }\n', 'two'],
])('does not change %s', (_, text, name) => {
  expect(withDocumentName(text, name)).toBe(text);
});
