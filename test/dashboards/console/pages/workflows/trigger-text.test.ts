import { expect, test } from 'vitest';
import { cronText } from '#dashboards/console/src/pages/workflows/cron-text.ts';
import { triggerText } from '#dashboards/console/src/pages/workflows/trigger-text.ts';

test.each([
  ['schedule', { cron: '0 3 * * *' }, 'Every day at 03:00 (UTC)'],
  ['schedule', { everyMs: 300_000 }, 'Every 5 min'],
  ['after', { afterMs: 2_000 }, '2.0 s after the last execution has finished'],
  ['webhook', {}, 'Webhook (signed request)'],
  [
    'event',
    { mode: 'one', filters: [{ with: { type: 'trapline.detection.opened', severity: 'high|critical' } }] },
    'When a detection is opened with severity high or critical',
  ],
  [
    'event',
    { mode: 'all', filters: [{ with: { type: 'org.example.scan' } }, { with: { data: { n: 1 } } }] },
    'When an event org.example.scan arrives and an event arrives with data {"n":1}',
  ],
  ...(
    [
      ['.severity == "high" or .severity == "critical"', 'severity high or critical'],
      ['.severity == "high"', 'severity high'],
      ['.crashes >= 3 and .rule.id != "a or b"', 'crashes at least 3 and rule.id not a or b'],
      ['.crashes > 3 or .hosts > 1', 'crashes above 3 or hosts above 1'],
      // A condition with more than comparisons is shown as written.
      ['.a == 1 and .b == 2 or .c == 3', 'data ${ .a == 1 and .b == 2 or .c == 3 }'],
      ['.labels | contains(["x"])', 'data ${ .labels | contains(["x"]) }'],
    ] as const
  ).map(
    ([expression, read]) =>
      [
        'event',
        { mode: 'one', filters: [{ with: { type: 'trapline.detection.opened', data: `\${ ${expression} }` } }] },
        `When a detection is opened with ${read}`,
      ] as const,
  ),
] as const)('a trigger of the kind %s with %j reads as a sentence', (kind, spec, text) => {
  expect(triggerText({ kind, spec })).toBe(text);
});

test.each([
  ['CRON_TZ=Europe/Berlin 0 8 * * 1-5', 'Every weekday at 08:00 (Europe/Berlin)'],
  ['0 8 * * MON-FRI', 'Every weekday at 08:00 (UTC)'],
  ['30 6,18 * * *', 'Every day at 06:30 and 18:30 (UTC)'],
  ['0 9 * * 0,6', 'Every Saturday and Sunday at 09:00 (UTC)'],
  ['0 0 1 * *', 'On day 1 of each month at 00:00 (UTC)'],
  ['* * * * *', 'Every minute (UTC)'],
  ['*/15 * * * *', 'Every 15 minutes (UTC)'],
  ['5 * * * *', 'Every hour, 5 min past the hour (UTC)'],
  ['0 */6 * * *', 'Every 6 hours (UTC)'],
  ['0 0 3 * * *', 'Every day at 03:00 (UTC)'],
  ['*/10 * * * * *', 'On schedule */10 * * * * * (UTC)'],
  ['0 8 1 1 *', 'On schedule 0 8 1 1 * (UTC)'],
  ['0 0 L * *', 'On schedule 0 0 L * * (UTC)'],
])('the schedule %s reads as %s', (pattern, text) => {
  expect(cronText(pattern)).toBe(text);
});
