import { expect, test } from 'vitest';
import { DEFAULT_DATA_DIR } from '#deploy/config/settings/process.ts';
import { withTypedCommands } from '#deploy/doctor/typed-commands.ts';

const wrong = { check: 'tables', state: 'wrong', found: 'none' } as const;

test.each([
  [
    '/srv/trap line',
    'run `trapline migrate`, or set X',
    /^run `\S.* --data-dir '\/srv\/trap line' migrate`, or set X$/,
  ],
  [DEFAULT_DATA_DIR, 'run `trapline migrate`', /^run `(?!.*--data-dir)\S.* migrate`$/],
  ['/srv/other', '`trapline detect --configure` sets it to 1', /^`trapline detect --configure` sets it to 1$/],
])('prints the command for %s: %s', (dataDir, advice, expected) => {
  expect(withTypedCommands({ ...wrong, advice }, dataDir).advice).toMatch(expected);
});

test('leaves a finding without advice unchanged', () => {
  expect(withTypedCommands(wrong, '/srv/other')).toEqual(wrong);
});
