import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { randomName } from '#test/support/random-name.ts';
import { documented } from '#test/support/services/code-host-api.ts';
import { removeHome, startTrapline } from '#test/support/trapline-process.ts';
import { positiveNumber, readCommandLine } from '../../bin/command-line/command-line.ts';
import { startCrowd } from './crowd.ts';
import { FUZZ } from './help.ts';

/**
 * `npm run fuzz -- [--of api] [--seconds 300] [--seed N]`: schemathesis (from PyPI) makes valid and invalid requests
 * from the OpenAPI description of a server that is started for the run. Fails on a 5xx and on every response that the
 * description does not allow. Needs Python 3.10 or newer with venv.
 */

const SCHEMATHESIS = '4.32.5';
const CHECKS = 'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance';
/**
 * Excluded paths: their requests end the session, remove accounts or data that the run needs, or stay open. After such a
 * request the fuzzer would no longer test anything.
 */
const LEFT_OUT = [
  '^/api/demo$',
  '^/api/socket$',
  '^/api/auth/sign-out$',
  '^/api/admin/users/.id./',
  '^/api/detections/stream$',
  '^/api/v1/executions/[^/]+/events$',
].join('|');

const { values } = readCommandLine(FUZZ, {
  options: {
    of: { type: 'string' }, // read by main.ts
    seconds: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
  },
});

const secondsEach = String(Math.ceil(positiveNumber(FUZZ, 'seconds', values.seconds) / 2));
const program = installed();
const home = await mkdtemp(path.join(tmpdir(), 'trapline-fuzz-'));
const adminKey = randomName('admin-key-of-this-run-0123456789');
const codeHost = createServer(documented).listen(0, '127.0.0.1');
await once(codeHost, 'listening');
const codeHostUrl = `http://127.0.0.1:${(codeHost.address() as AddressInfo).port}`;
const server = await startTrapline(
  ['start', '--no-demo'],
  {
    ADMIN_KEY: adminKey,
    LOG_LEVEL: 'error',
    TRUSTED_PROXIES: '127.0.0.1',
    CODEHOST_URL: codeHostUrl,
    OUTBOUND_ALLOW: new URL(codeHostUrl).host,
  },
  home,
);
try {
  await server.logged('Trapline serves');
  const { url } = JSON.parse(await readFile(path.join(home, 'data', 'server.json'), 'utf8')) as { url: string };
  const operatorKey = (await readFile(path.join(home, 'data', 'operator.key'), 'utf8')).trim();
  const crowd = await startCrowd(url);
  try {
    const asOperator = await fuzz(crowd.url, secondsEach, [`x-admin-key: ${adminKey}`, `x-api-key: ${operatorKey}`]);
    const cookie = await signIn(url, operatorKey);
    const asAdministrator = await fuzz(crowd.url, secondsEach, [`x-admin-key: ${adminKey}`, `cookie: ${cookie}`]);
    process.exitCode = asOperator || asAdministrator;
  } finally {
    crowd.stop();
  }
} finally {
  if (!server.running) {
    process.stderr.write(`the server is lost; the end of its log:\n${(await server.log()).slice(-8_000)}\n`);
    process.exitCode = 1;
  }
  await server.endAll();
  codeHost.closeAllConnections();
  codeHost.close();
  await removeHome(home);
}

/** Runs the fuzzer once with these credentials. Resolves to its exit code. */
async function fuzz(url: string, seconds: string, headers: readonly string[]): Promise<number> {
  const fuzzer = spawn(
    program,
    [
      'run',
      `${url}/api/docs`,
      ...headers.flatMap((header) => ['--header', header]),
      ...['--exclude-path-regex', LEFT_OUT], // of several such options only the last would count
      ...['--checks', CHECKS, '--phases', 'examples,coverage,fuzzing', '--warnings', 'off'],
      ...['--max-time', seconds, '--seed', values.seed, '--continue-on-failure', '--suppress-health-check', 'all'],
    ],
    { stdio: ['ignore', 'inherit', 'inherit'], cwd: home },
  );
  const [code] = (await once(fuzzer, 'exit')) as [number | null];
  return code ?? 1;
}

/** Signs in as an administrator of the run. Resolves to the cookie. */
async function signIn(url: string, operatorKey: string): Promise<string> {
  const account = { email: 'fuzz@example.org', password: `${randomName('Password')} of this run` };
  const post = (route: string, body: object, headers = {}) =>
    fetch(url + route, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const user = { ...account, username: 'fuzz', role: 'admin' };
  await post('/api/admin/users', user, { 'x-api-key': operatorKey });
  const signedIn = await post('/api/auth/callback/credentials', account);
  if (!signedIn.ok) throw new Error(`the administrator of the run could not sign in: ${await signedIn.text()}`);
  return signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/**
 * Returns the path of the fuzzer. Installs it once into a separate Python environment, stored with the other downloads.
 */
function installed(): string {
  const cache = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
  const environment = path.join(cache, 'trapline', `schemathesis-${SCHEMATHESIS}`);
  const found = path.join(environment, 'bin', 'schemathesis');
  if (existsSync(found)) return found;
  process.stderr.write(`installing schemathesis ${SCHEMATHESIS} from PyPI (once)\n`);
  const steps: [string, string[]][] = [
    ['python3', ['-m', 'venv', environment]],
    [path.join(environment, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${SCHEMATHESIS}`]],
  ];
  for (const [command, args] of steps) {
    const { status } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    if (status !== 0)
      throw new Error(`${command} ${args.join(' ')} failed; on Debian: apt-get install python3 python3-venv`);
  }
  return found;
}
