import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../../..');

function run(program: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd: ROOT, encoding: 'utf8' });
  return { status, stdout, stderr };
}

// Regression: wrong options printed a stack.
describe.each([
  ['package', 'deploy/packages/main.ts'],
  ['images', 'deploy/images/main.ts'],
  ['fuzz', 'test/fuzz/main.ts'],
])('npm run %s', (name, program) => {
  it('rejects an unknown option in one line', () => {
    expect(run(program, '--nonsense')).toEqual({
      status: 2,
      stdout: '',
      stderr: `npm run ${name}: Unknown option '--nonsense' (npm run ${name} -- --help lists the options)\n`,
    });
  });

  it('prints its usage', () => {
    const { status, stdout, stderr } = run(program, '--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^usage: npm run ${name} `));
  });
});

it.each([
  ['deploy/packages/main.ts', ['detector', '--arch', 'vax'], '--arch: must be one of x64, arm64 (got vax)'],
  ['deploy/images/main.ts', ['release'], '"release" needs --registry and --key'],
  ['test/fuzz/main.ts', ['--seconds', 'ten'], '--seconds: must be a positive number (got ten)'],
  ['test/fuzz/main.ts', ['--of', 'programs', '--cases', 'x'], '--cases: must be a number (got x)'],
  ['deploy/images/main.ts', ['build', '--tag'], "Option '--tag <value>' argument missing"],
])('%s %j reports the wrong value', (program, args, problem) => {
  const { status, stderr } = run(program, ...args);
  expect(stderr).toContain(`: ${problem} (npm run `);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(status).toBe(2);
});
