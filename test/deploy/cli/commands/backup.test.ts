import { expect, test } from 'vitest';
import { runCommand } from '../run-command.ts';

test.each([
  [[], 'name either a folder or --into'],
  [['one', '--into', 'many'], 'name either a folder or --into'],
  [['one', '--keep', '3'], '--keep needs --into'],
  [['--into', 'many', '--keep', '0'], 'must be a whole number of at least 1'],
])('backup %j is wrong usage', async (args, problem) => {
  expect(await runCommand(['backup', ...args])).toMatchObject({ code: 2, stderr: expect.stringContaining(problem) });
});
