import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../run-command.ts';

const VALID =
  '{"version":"V1","timestamp":"2026-01-01T00:00:00Z","event":{"type":"ConfigMismatch","key":"k","expected_value":"1","observed_value":"0"}}';
const SHORT_SIGNAL =
  '{"version":"V1","timestamp":"2026-01-01T00:00:00Z","event":{"type":"LinuxFatalSignal","facility":"Kern","level":"Info","signal":"Segv","stack_dump":{}}}';
const OK = { valid: true, code: null, path: null, message: null };

function objects(stdout: string): unknown[] {
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

describe('trapline validate', () => {
  it('reports the problem of every invalid line, and exits with 1', async () => {
    const stdin = Buffer.concat([
      Buffer.from(`${VALID}\r\n\n{"timestamp":"x"}\n`),
      Buffer.from(
        '{"version":1}\n{"version":"V0"}\n{"version":"V1","timestamp":"2026-02-30T00:00:00Z","event":{"type":"X"}}\n[',
      ),
      Buffer.from([10, 0xff, 10]),
      Buffer.from(VALID),
    ]);
    const { code, stdout, stderr } = await runCommand(['validate', '-'], { stdin });
    expect(objects(stdout)).toMatchObject([
      { line: 1, ...OK },
      { line: 2, valid: false, code: 'empty_record', path: '$' },
      { line: 3, valid: false, code: 'version_missing', path: '$.version' },
      { line: 4, code: 'version_not_a_string' },
      { line: 5, code: 'version_unknown' },
      { line: 6, valid: false, message: expect.any(String) },
      { line: 7, code: 'malformed_json' },
      { line: 8, code: 'invalid_utf8' },
      { line: 9, ...OK },
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain('9 lines, 7 invalid');
  });

  it('exits with 0 if all lines are valid, and prints nothing for an empty file', async () => {
    expect(await runCommand(['validate', '-'], { stdin: `${VALID}\n` })).toMatchObject({ code: 0 });
    expect(await runCommand(['validate', '-'])).toMatchObject({ code: 0, stdout: '' });
  });

  it('prints the file name if there are several files', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'trapline-validate-'));
    try {
      const [a, b] = [join(dir, 'a'), join(dir, 'b')];
      await writeFile(a, `${VALID}\n`);
      await writeFile(b, '{}');
      const { stdout } = await runCommand(['validate', a, b]);
      expect(objects(stdout)).toMatchObject([
        { file: a, line: 1, valid: true },
        { file: b, line: 1, valid: false },
      ]);
    } finally {
      await rm(dir, { recursive: true });
    }
  });

  it.each([
    [[], {}, 1],
    [['--signal-dialect', 'short'], {}, 0],
    [[], { TRAPLINE_SIGNAL_DIALECT: 'short' }, 0],
    [['--signal-dialect', 'v1'], { TRAPLINE_SIGNAL_DIALECT: 'short' }, 1],
  ])('accepts signal names by option, or by configuration: %j %j', async (options, environment, expected) => {
    const { code } = await runCommand(['validate', ...options, '-'], { stdin: SHORT_SIGNAL, environment });
    expect(code).toBe(expected);
  });

  it('rejects a record above the configured size without buffering it', async () => {
    const environment = { TRAPLINE_MAX_RECORD_BYTES: '1024' };
    const { stdout } = await runCommand(['validate', '-'], {
      stdin: `${' '.repeat(2000)}${VALID}\n${VALID}`,
      environment,
    });
    expect(objects(stdout)).toMatchObject([{ code: 'record_too_large' }, { line: 2, valid: true }]);
  });

  it.each([[['validate']], [['validate', '/nonexistent/file']], [['validate', '--signal-dialect', 'x', '-']]])(
    'exits with 2 for wrong usage: %j',
    async (args) => {
      const { code, stdout, stderr } = await runCommand(args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).not.toBe('');
    },
  );

  it('behaves the same as a separate process', async () => {
    const main = join(import.meta.dirname, '../../../../deploy/cli/main.ts');
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const child = spawn(process.execPath, [main, 'validate', '-'], { env: { PATH, NODE_COMPILE_CACHE } });
    const closed = once(child, 'close');
    child.stdin.end(`${VALID}\n{}\n`);
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(await closed).toEqual([1, null]);
    expect(objects(stdout)).toMatchObject([
      { line: 1, ...OK },
      { line: 2, valid: false, code: 'version_missing' },
    ]);
    expect(stderr).toContain('2 lines, 1 invalid');
  });
});
