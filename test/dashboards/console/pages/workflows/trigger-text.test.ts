import { expect, test } from 'vitest';
import { triggerText } from '#dashboards/console/src/pages/workflows/trigger-text.ts';

test.each([
  ['schedule', { cron: '0 3 * * *' }, 'On schedule (UTC): 0 3 * * *'],
  ['schedule', { everyMs: 300_000 }, 'Every 5 min 0 s'],
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
] as const)('a trigger of the kind %s with %j reads as a sentence', (kind, spec, text) => {
  expect(triggerText({ kind, spec })).toBe(text);
});
