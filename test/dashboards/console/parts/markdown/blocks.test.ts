import { expect, test } from 'vitest';
import { markdownBlocks } from '#dashboards/console/src/parts/markdown/blocks.ts';

const text = (value: string) => [{ kind: 'text', text: value }];

test('parses the Markdown of reports into blocks', () => {
  const report = [
    '# Case 1: a\\*b',
    '',
    '> first  ',
    '> \\# second',
    '',
    '| Fact | Value |',
    '| --- | --- |',
    '| Host | `web\\|1`, [page](https://trapline.example/x) |',
    '',
    '- [x] done',
    '- **ann**: commented  ',
    '  > quoted',
    '',
    'plain \\<b\\> text',
  ].join('\n');
  expect(markdownBlocks(report)).toEqual([
    { kind: 'heading', level: 1, content: text('Case 1: a*b') },
    { kind: 'quote', lines: [text('first'), text('# second')] },
    {
      kind: 'table',
      rows: [
        [text('Fact'), text('Value')],
        [
          text('Host'),
          [
            { kind: 'code', text: 'web|1' },
            { kind: 'text', text: ', ' },
            { kind: 'link', text: 'page', to: 'https://trapline.example/x' },
          ],
        ],
      ],
    },
    {
      kind: 'list',
      items: [
        { content: text('☑ done'), quote: [] },
        {
          content: [
            { kind: 'strong', text: 'ann' },
            { kind: 'text', text: ': commented' },
          ],
          quote: [text('quoted')],
        },
      ],
    },
    { kind: 'paragraph', content: text('plain <b> text') },
  ]);
});

test.each([
  ['`` a`b ``', [{ kind: 'code', text: 'a`b' }]],
  ['a \\[b\\](javascript:x)', text('a [b](javascript:x)')],
  ['lonely ` and * and [', text('lonely ` and * and [')],
  ['\\\\x1b', text('\\x1b')],
])('parses the line %j', (line, content) => {
  expect(markdownBlocks(line)).toEqual([{ kind: 'paragraph', content }]);
});

test('a comment keeps its line breaks, and code in it is not Markdown', () => {
  const comment = 'first\n  **second**\n\nthird\n```sh\n# not a heading\n- no item\n```\n- item';
  expect(markdownBlocks(comment, { keepLines: true })).toEqual([
    {
      kind: 'paragraph',
      content: [
        { kind: 'text', text: 'first\n  ' },
        { kind: 'strong', text: 'second' },
      ],
    },
    { kind: 'paragraph', content: text('third') },
    { kind: 'code', text: '# not a heading\n- no item' },
    { kind: 'list', items: [{ content: text('item'), quote: [] }] },
  ]);
  expect(markdownBlocks('```\nwithout an end')).toEqual([{ kind: 'code', text: 'without an end' }]);
});

test('parses a long line with unclosed marks in linear time', () => {
  const line = '`'.repeat(4_000) + '**'.repeat(4_000) + '['.repeat(4_000);
  expect(markdownBlocks(line)).toHaveLength(1);
});
