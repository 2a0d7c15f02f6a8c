import { expect, test } from 'vitest';
import { reportBlocks } from '#dashboards/console/src/pages/cases/report-blocks.ts';

const text = (value: string) => [{ kind: 'text', text: value }];

test('the Markdown of reports becomes blocks', () => {
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
  expect(reportBlocks(report)).toEqual([
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
])('the line %j', (line, content) => {
  expect(reportBlocks(line)).toEqual([{ kind: 'paragraph', content }]);
});

test('a long line without an end of its marks is read in time that grows with its length', () => {
  const line = '`'.repeat(4_000) + '**'.repeat(4_000) + '['.repeat(4_000);
  expect(reportBlocks(line)).toHaveLength(1);
});
