import { expect, test } from 'vitest';
import { starterText, triggerText } from '#dashboards/console/src/parts/execution/starter.ts';

const ana = { id: '1', username: 'ana' };
const nothing = { user: null, keyLabel: null, executionId: null };

test.each([
  ['ana (console)', { triggerType: 'api', startedBy: { ...nothing, how: 'console', user: ana } }],
  ['ana (console, re-run)', { triggerType: 'rerun', startedBy: { ...nothing, how: 'console', user: ana } }],
  [
    'ana (API key nightly, command line)',
    { triggerType: 'cli', startedBy: { ...nothing, how: 'key', user: ana, keyLabel: 'nightly' } },
  ],
  ['ana (API key)', { triggerType: 'api', startedBy: { ...nothing, how: 'key', user: ana } }],
  ['deleted user (console)', { triggerType: 'api', startedBy: { ...nothing, how: 'console' } }],
  ['Operator (command line)', { triggerType: 'cli', startedBy: { ...nothing, how: 'operator' } }],
  ['schedule', { triggerType: 'schedule', startedBy: { ...nothing, how: 'schedule' } }],
  ['another workflow', { triggerType: 'workflow', startedBy: { ...nothing, how: 'workflow', executionId: 'exec_1' } }],
  // The starter is unknown: an earlier version did not record it, or the request did not include it.
  ['API', { triggerType: 'api', startedBy: null }],
  ['re-run', { triggerType: 'rerun' }],
  ['', {}],
])('%s', (text, started) => {
  expect(starterText(started)).toBe(text);
});

test('shows the trigger of a later version by its API name', () => {
  expect(triggerText('telegram')).toBe('telegram');
});
