import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readEvent } from '#schemas/events/read-event.ts';
import { runApp } from '../../../api/running-app.ts';
import { runCommand } from '../run-command.ts';

const CAPTURE = new URL('../../../fixtures/kmsg/assorted-faults.kmsg', import.meta.url).pathname;

test('converts a file or standard input to valid events, one per line, with the same result every time', async () => {
  const fromFile = await runCommand(['detect', '--from', CAPTURE]);
  const fromStdin = await runCommand(['detect', '--from', '-'], { stdin: await readFile(CAPTURE) });
  expect(fromFile.code).toBe(0);
  expect(fromStdin.stdout).toBe(fromFile.stdout);
  const lines = fromFile.stdout.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(10);
  for (const line of lines) expect(readEvent(line)).toMatchObject({ ok: true });
  expect(lines[0]).toContain('"timestamp":"1970-01-01T');
});

test('uses the given host name and time', async () => {
  const { stdout } = await runCommand([
    'detect',
    '--from',
    CAPTURE,
    '--hostname',
    'web-7',
    '--boot-time',
    '2026-03-01T12:00:00+01:00',
  ]);
  for (const line of stdout.trimEnd().split('\n')) {
    expect(JSON.parse(line)).toMatchObject({ hostname: 'web-7', timestamp: expect.stringMatching(/^2026-03-01T11:/) });
  }
});

test('uses the signal dialect of the option, or that of the configuration', async () => {
  const environment = { TRAPLINE_SIGNAL_DIALECT: 'short' };
  expect((await runCommand(['detect', '--from', CAPTURE], { environment })).stdout).toContain('"signal":"Segv"');
  const chosen = await runCommand(['detect', '--from', CAPTURE, '--signal-dialect', 'v1'], { environment });
  expect(chosen.stdout).toContain('"signal":"SIGSEGV"');
});

test('sends the same events to a server, with the key', async () => {
  const { url, texts } = await runApp();
  const { OPERATOR_KEY } = await import('../../../api/running-app.ts');
  const environment = { TRAPLINE_API_KEY: OPERATOR_KEY };
  const { code, stderr } = await runCommand(['detect', '--from', CAPTURE, '--to', url], { environment });
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^trapline: warn: times count from .*\n$/),
  });
  const { stdout } = await runCommand(['detect', '--from', CAPTURE]);
  expect(texts().flat()).toEqual(stdout.trimEnd().split('\n'));
});

test('reports lines that look like an unknown fault, and signals without a name', async () => {
  const lines =
    'traps: mysqld[280069] general protection fault ip:7f81f14bc898\nx: potentially unexpected fatal signal 31.\n';
  const { code, stdout, stderr } = await runCommand(['detect', '--from', '-'], { stdin: Buffer.from(lines) });
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  expect(stderr).toContain('warn: fault messages of an unknown form were not understood form=x86 trap count=1');
  expect(stderr).toContain('1 lines look like faults of user processes and were not understood');
  expect(stderr).toContain('1 fatal signals have no name in the event format');
});
