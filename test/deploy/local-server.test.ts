import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serverProof } from '#api/accounts/keys/server-proof.ts';
import { announceLocalServer, findLocalServer } from '#deploy/local-server.ts';
import { OPERATOR_KEY, runApp } from '#test/api/running-app.ts';
import { runCommand } from './cli/run-command.ts';

const MAIN = new URL('../../deploy/cli/main.ts', import.meta.url).pathname;
const CAPTURE = new URL('../fixtures/kmsg/assorted-faults.kmsg', import.meta.url).pathname;
const NONCE = 'ab'.repeat(32);

/** Creates a data directory with an operator key. */
function dataDirectory(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trapline-data-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'operator.key'), `${OPERATOR_KEY}\n`, { mode: 0o600 });
  return folder;
}

/** Starts an HTTP server on a loopback port that records its requests. */
async function program(answer: RequestListener) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** Starts a real server and announces it in a data directory. */
async function announcedServer() {
  const dataDir = dataDirectory();
  let url = '';
  const running = await runApp({ deps: { proveServer: (nonce) => serverProof(OPERATOR_KEY, { url, nonce }) } });
  url = running.url;
  const server = { url, pid: process.pid };
  return { dataDir, server, running, withdraw: await announceLocalServer(dataDir, server) };
}

test('finds a running server by its data directory, but not one that has ended', async () => {
  expect(await findLocalServer(dataDirectory())).toBeUndefined();
  const { dataDir, server, running, withdraw } = await announcedServer();
  expect(await findLocalServer(dataDir)).toEqual(server);
  await announceLocalServer(dataDir, { ...server, pid: 4_194_304 }); // greater than the maximum process id of Linux
  expect(await findLocalServer(dataDir)).toBeUndefined();
  await withdraw();
  expect(readdirSync(dataDir)).toContain('server.json'); // the file of the successor is kept
  await announceLocalServer(dataDir, server);
  await running.app.close();
  expect(await findLocalServer(dataDir)).toBeUndefined();
});

test('a server without the key of the data directory is not its server', async () => {
  const { dataDir } = await announcedServer();
  writeFileSync(join(dataDir, 'operator.key'), `operator.${'x'.repeat(43)}\n`);
  expect(await findLocalServer(dataDir)).toBeUndefined();
  rmSync(join(dataDir, 'operator.key'));
  expect(await findLocalServer(dataDir)).toBeUndefined();
});

test.each([
  ['answers everything', (_request: unknown, response: { end(text: string): void }) => response.end('{"proof":"00"}')],
  [
    'answers without end',
    (_request: unknown, response: { write(text: string): void }) => void response.write('x'.repeat(2_000)),
  ],
  ['hangs up', (request: IncomingMessage) => request.socket.destroy()],
])(
  'a program with process id and port of a killed server, and %s, never receives the operator key',
  async (_, answer) => {
    const dataDir = dataDirectory();
    const { url, requests } = await program(answer as RequestListener);
    await announceLocalServer(dataDir, { url, pid: process.pid });
    const environment = { TRAPLINE_DATA_DIR: dataDir };
    const commands = [
      ['query', 'events'],
      ['users', 'list'],
      ['audit', 'verify'],
      ['detect', '--from', CAPTURE, '--to', url, '--close-timeout', '1'],
    ];
    const asked = commands.map(async (command) => (await runCommand(command, { environment })).stderr);
    for (const stderr of (await Promise.all(asked)).slice(0, 3))
      expect(stderr).toMatch(/no server runs on the data directory .*: start one with `.* --data-dir \S+ start`/);
    expect(requests.length).toBeGreaterThanOrEqual(commands.length);
    const seen = JSON.stringify(requests.map(({ url, rawHeaders }) => ({ url, rawHeaders })));
    expect(seen).not.toContain(OPERATOR_KEY);
    expect(requests.flatMap(({ headers }) => Object.keys(headers))).not.toContain('x-api-key');
  },
);

test('a program that forwards the challenge to the real server is not accepted', async () => {
  const { dataDir, server } = await announcedServer();
  const relay = await program(async (request, response) => {
    response.end(await (await fetch(server.url + request.url)).text());
  });
  expect(await (await fetch(`${relay.url}/api/server-proof?nonce=${NONCE}`)).json()).toHaveProperty('proof');
  await announceLocalServer(dataDir, { ...server, url: relay.url });
  expect(await findLocalServer(dataDir)).toBeUndefined();
});

test('reports an announced server that does not respond', async () => {
  const dataDir = dataDirectory();
  const { url } = await program(() => {});
  await announceLocalServer(dataDir, { url, pid: process.pid });
  await expect(findLocalServer(dataDir, { timeoutMs: 100 })).rejects.toThrow(
    `${url} (process ${process.pid}) does not respond within 0.1 s: check its log, or end it`,
  );
});

test('proves only a nonce', async () => {
  const { running } = await announcedServer();
  const proof = (query: string) => fetch(`${running.url}/api/server-proof${query}`);
  expect(await (await proof(`?nonce=${NONCE}`)).json()).toEqual({
    proof: serverProof(OPERATOR_KEY, { url: running.url, nonce: NONCE }),
  });
  for (const query of [
    '',
    '?nonce=',
    `?nonce=${NONCE}0`,
    `?nonce=${NONCE.toUpperCase()}`,
    `?nonce=${NONCE}&nonce=${NONCE}`,
  ])
    expect((await proof(query)).status).toBe(400);
});

test('a proof is not a credential', async () => {
  const { running } = await announcedServer();
  const { proof } = (await (await fetch(`${running.url}/api/server-proof?nonce=${NONCE}`)).json()) as { proof: string };
  const prefix = OPERATOR_KEY.slice(0, OPERATOR_KEY.indexOf('.') + 1);
  const status = async (key: string) =>
    (await fetch(`${running.url}/api/rules`, { headers: { 'x-api-key': key } })).status;
  expect(await status(OPERATOR_KEY)).not.toBe(401);
  for (const key of [proof, `${prefix}${proof}`, `${prefix}${proof.slice(0, OPERATOR_KEY.length - prefix.length)}`])
    expect(await status(key)).toBe(401);
});

test('requests to this machine bypass the proxies of the environment', async () => {
  const { dataDir, server, running } = await announcedServer();
  const proxy = await program((_request, response) => response.writeHead(502).end());
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    TRAPLINE_DATA_DIR: dataDir,
    NODE_USE_ENV_PROXY: '1',
    ...Object.fromEntries(['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'].map((name) => [name, proxy.url])),
  };
  const trapline = (...args: string[]) =>
    new Promise<string>((resolve) => {
      execFile(process.execPath, [MAIN, ...args], { env }, (_error, stdout, stderr) => resolve(stdout + stderr));
    });
  // The proxy variables redirect a plain `fetch`.
  expect(await proxied(env, server.url)).toBe('502');
  expect(proxy.requests.splice(0)).toHaveLength(1);
  await trapline('detect', '--from', CAPTURE, '--to', server.url);
  expect(running.texts().flat().length).toBeGreaterThan(10);
  expect(await trapline('query', 'events')).toContain(`${server.url}/api/events: 503`); // this server has no ClickHouse
  expect(proxy.requests).toEqual([]);
});

/** Returns the status of a plain `fetch` request in a process with this environment. */
async function proxied(env: NodeJS.ProcessEnv, url: string): Promise<string> {
  const script = `process.stdout.write(String((await fetch(${JSON.stringify(url)})).status))`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { env });
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return chunk.toString();
}
