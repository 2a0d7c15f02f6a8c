import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { COMMANDS } from '#deploy/cli/command-table.ts';
import { commandNamed, configOptionsOf } from '#deploy/cli/program.ts';
import { resolveConfig } from '#deploy/config/resolve.ts';
import { shellWord } from '#deploy/shell-word.ts';
import { PRODUCT_VERSION } from '#schemas/product-version.ts';
import { runCommand } from './run-command.ts';

const MAIN = new URL('../../../deploy/cli/main.ts', import.meta.url).pathname;

test.each([...Object.keys(COMMANDS).map((name) => [name, '--help']), ['--help'], ['help', 'config']])(
  '%s %s prints help on standard output',
  async (...args) => {
    const { code, stdout, stderr } = await runCommand(args.filter((arg) => arg !== undefined));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: trapline/);
  },
);

test('--version prints the version of package.json', async () => {
  expect(await runCommand(['--version'])).toEqual({ code: 0, stdout: `${PRODUCT_VERSION}\n`, stderr: '' });
});

test('options before the command are settings', () => {
  const settings = { TRAPLINE_DATA_DIR: '/srv/a b', PORT: '81' };
  expect(configOptionsOf(['--data-dir', '/srv/a b', '--port=81', 'start'])).toEqual({ file: undefined, settings });
  expect(configOptionsOf(['--config', 'x.env', 'start'])).toEqual({ file: 'x.env', settings: {} });
  expect(configOptionsOf(['start', '--log-format', 'text'])).toEqual({
    file: undefined,
    settings: { LOG_FORMAT: 'text' },
  });
  expect(configOptionsOf(['detect', '--', '--port', '81'])).toEqual({ file: undefined, settings: {} });
  expect(commandNamed(['--data-dir', 'start', '--port', '1', 'query', 'events'])).toBe('query');
});

test('a setting of the command line overrides the environment', () => {
  const environment = { PORT: '80', HOST: '127.0.0.2' };
  const resolved = resolveConfig({ environment, commandLine: { PORT: '81' } });
  if (!resolved.ok) throw new Error(resolved.errors.join());
  expect([resolved.settings.PORT, resolved.origins.PORT, resolved.origins.HOST]).toEqual([
    81,
    'command line',
    'environment',
  ]);
  expect(resolveConfig({ environment, commandLine: { PORT: 'x' } })).toMatchObject({ ok: false });
});

test.each([
  ['/srv/trapline', '/srv/trapline'],
  ['/srv/a b', "'/srv/a b'"],
  ["it's $HOME", "'it'\\''s $HOME'"],
  ['', "''"],
])('quotes %j as one word of a shell', async (text, word) => {
  expect(shellWord(text)).toBe(word);
  const { stdout } = await promisify(execFile)('sh', ['-c', `printf %s ${word}`]);
  expect(stdout).toBe(text);
});

test('the overview has the summaries of the commands', async () => {
  for (const [name, { summary }] of Object.entries(COMMANDS)) {
    const { stdout } = await runCommand([name, '--help']);
    expect(stdout.replace(/\s+/g, ' ')).toContain(summary.replace(/\s+/g, ' '));
  }
});

test.each([
  [[], 'Usage: trapline'],
  [['strat'], "unknown command 'strat'"],
  [['config', '--outptu', 'json'], "unknown option '--outptu'"],
  [['config', '--output', 'xml'], 'Allowed choices are table, json'],
  [['detect'], "required option '--from <source>' not specified"],
  [['detect', '--from', '-', '--boot-time', 'noon'], 'Must be an RFC 3339 date-time'],
  [['detect', '--from', '-', '--to', 'ftp://x'], '--to: must be stdout, http(s)://HOST or kafka://TOPIC'],
  [['detect', '--from', '-', '--to', 'kafka://events.v1'], 'needs KAFKA_BROKERS'],
  [['detect', '--from', '/nonexistent/log'], '/nonexistent/log does not exist'],
  [['detect', '--from', '/tmp'], '/tmp is a folder'],
  [['query', 'events'], 'no server runs on the data directory'],
])('%j is wrong usage: exit code 2, message on standard error', async (args, message) => {
  const { code, stdout, stderr } = await runCommand(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
});

test('an invalid configuration exits with 2 and reports every error at once', async () => {
  const child = spawn(process.execPath, [MAIN, 'config'], { env: { PORT: 'x', TRAPLINE_TYPO: '1' } });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('PORT: ');
  expect(stderr).toContain('TRAPLINE_TYPO: ');
});

test('a closed output pipe ends the command without an error', async () => {
  const child = spawn('sh', [
    '-c',
    `( yes '{}' | head -200000 | "$0" "$1" validate - ; echo "code $?" >&2 ) | head -1`,
    process.execPath,
    MAIN,
  ]);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(stdout.split('\n')).toHaveLength(2);
  expect(stderr).toMatch(/^code [01]\n$/);
});

test('a detector stopped before the server accepted its events reports this without a stack', async () => {
  const refusing = createServer((_, reply) => void reply.writeHead(503).end());
  await once(refusing.listen(0, '127.0.0.1'), 'listening');
  const { port } = refusing.address() as AddressInfo;
  const capture = 'test/fixtures/kmsg/assorted-faults.kmsg';
  const target = ['--to', `http://127.0.0.1:${port}`, '--close-timeout', '1'];
  const child = spawn(process.execPath, [MAIN, 'detect', '--from', capture, ...target]);
  await once(refusing, 'request');
  child.kill('SIGTERM');
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  refusing.close();
  expect(code).toBe(1);
  expect(stderr).toContain('stopped before the receiver took all events');
  expect(stderr).not.toContain('http-sink.ts');
});
