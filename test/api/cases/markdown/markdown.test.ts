import { expect, test } from 'vitest';
import { caseReport, durationText } from '#api/cases/markdown/case-report.ts';
import { detectionMarkdown } from '#api/cases/markdown/detection-markdown.ts';
import { markdownCode, markdownQuote, markdownText } from '#api/cases/markdown/markdown-text.ts';
import { detection } from '#test/analytics/clickhouse/fixture.ts';

test.each([
  ['a*b_c`d', 'a\\*b\\_c\\`d'],
  ['<img src=x onerror=alert(1)>', '\\<img src=x onerror=alert(1)\\>'],
  ['[a](javascript:alert(1))', '\\[a\\](javascript:alert(1))'],
  ['http://evil.example', 'http:\\/\\/evil.example'],
  ['see WWW.evil.example', 'see WWW\\.evil.example'],
  ['a|b', 'a\\|b'],
  ['- item', '\\- item'],
  ['1. item', '1\\. item'],
  ['web-1.example', 'web-1.example'],
  ['\u001b[31m\u202e', '\\\\x1b\\[31m\\\\u\\{202e\\}'],
])('writes %j as the text %j', (text, expected) => {
  expect(markdownText(text)).toBe(expected);
});

test('code cannot be escaped, and does not end a table cell', () => {
  expect(markdownCode('nginx')).toBe('`nginx`');
  expect(markdownCode('a`b``c')).toBe('```a`b``c```');
  expect(markdownCode('`')).toBe('`` ` ``');
  expect(markdownCode('a|b')).toBe('`a\\|b`');
  expect(markdownCode('a\\|[b](c)')).toBe('a\\\\\\|\\[b\\](c)');
  expect(markdownCode('')).toBe('–');
  expect(markdownQuote('one\n# two')).toBe('> one  \n> \\# two');
});

const hostile = detection({
  id: `det_${'1'.repeat(32)}`,
  hostname: 'web|1`',
  procname: '<b>x',
  message: 'probe of # ip',
  evidenceCount: 3,
});

test('a detection has facts, evidence and a link, whatever its names are', () => {
  const text = detectionMarkdown(hostile, {
    link: 'https://trapline.example/detections/1',
    evidence: [{ at: '2026-03-01T12:00:00Z', message: '<b>x[1]: Segfault' }],
  });
  expect(text).toMatch(/^## High: .*: \\<b\\>x on web\\\|1\\`\n/);
  expect(text).toContain('probe of \\# ip');
  expect(text).toMatch(/\| First seen \| \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC \|/);
  expect(text).toContain('| Host | `` web\\|1` `` |');
  expect(text).toContain('| Program | `<b>x` |');
  expect(text).toContain('- `2026-03-01T12:00:00Z` `<b>x[1]: Segfault`');
  expect(text).toContain('The newest 1 of 3.');
  expect(text).toContain('[Open in Trapline](https://trapline.example/detections/1)');
  expect(detectionMarkdown(hostile, { link: 'x', evidence: undefined })).not.toContain('Evidence');
  const noted = detectionMarkdown({ ...hostile, note: 'Score 65\n# of 100' }, { link: 'x', evidence: undefined });
  expect(noted).toContain('Note:\n\n> Score 65  \n> \\# of 100\n');
});

test('a report has facts, tasks, detections, files and the timeline', () => {
  const at = '2026-03-01T12:00:00.000Z';
  const report = caseReport({
    of: {
      id: `case_${'0'.repeat(32)}`,
      number: 7,
      etag: '"v1"',
      title: 'Scan *of* web',
      description: 'First line\nsecond',
      severity: 'high',
      status: 'closed',
      reason: 'false_positive',
      assignee: 'ann',
      campaign: null,
      detections: 2,
      tasks: 1,
      tasksDone: 1,
      createdAt: at,
      createdBy: 'operator',
      changedAt: at,
      acknowledgedAt: at,
      closedAt: '2026-03-01T13:01:00.000Z',
      timeToAcknowledge: 0,
      timeToClose: 3_660,
      detectionIds: [hostile.id, `det_${'2'.repeat(32)}`],
      taskList: [{ id: 'task', title: 'Isolate web-1', assignee: 'bob', done: true }],
      files: [
        {
          id: 'file',
          filename: 'core.gz',
          size: 12,
          sha256: 'a'.repeat(64),
          addedAt: at,
          addedBy: 'operator',
          username: 'ann',
        },
      ],
    },
    detections: [hostile],
    timeline: {
      complete: true,
      happenings: [
        { at, actor: 'user:1', username: 'ann', kind: 'created', data: {} },
        {
          at,
          actor: 'user:1',
          username: 'ann',
          kind: 'changed',
          data: { before: { status: 'open' }, after: { status: 'in_progress' } },
        },
        {
          at,
          actor: 'user:1',
          username: 'ann',
          kind: 'task_changed',
          data: {
            task: { id: 'task', title: 'Isolate web-1' },
            before: { done: false, assignee: null },
            after: { done: true, assignee: 'bob' },
          },
        },
        { at, actor: 'user:1', username: null, kind: 'comment', data: { comment: { id: 'c', text: 'a\n# b' } } },
      ],
    },
    publicUrl: 'https://trapline.example',
    at: new Date(at),
  });
  for (const part of [
    '# Case 7: Scan \\*of\\* web',
    '> First line  \n> second',
    '| Severity | High |',
    '| Status | Closed: false positive |',
    '| Opened | 2026-03-01 12:00:00 UTC |',
    '(after 1 h 1 min)',
    '- [x] Isolate web-1 (bob)',
    '### High: ',
    '**ann**: finished the task Isolate web-1; assigned the task Isolate web-1 to bob',
    '1 of the detections are no longer stored.',
    `| \`core.gz\` | 12 | \`${'a'.repeat(64)}\` | 2026-03-01 12:00:00 UTC |`,
    `- 2026-03-01 12:00:00 UTC **ann**: status from open to in progress`,
    `- 2026-03-01 12:00:00 UTC **user:1**: commented  \n  > a  \n  > \\# b`,
    `https://trapline.example/cases/case_${'0'.repeat(32)}`,
  ])
    expect(report).toContain(part);
});

test.each([
  [0, '0 s'],
  [65, '1 min 5 s'],
  [3_600, '1 h'],
  [90_061, '1 d 1 h'],
])('formats %d seconds as %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});
