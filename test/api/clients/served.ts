import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FaultyProxy, startFaultyProxy } from '#test/support/services/faulty-proxy.ts';
import { removeHome, startTrapline } from '#test/support/trapline-process.ts';
import { waitFor } from '#test/support/wait-for.ts';

/** A Trapline on embedded engines for the suites of the clients. */
export interface Served {
  readonly url: string;
  /** The operator key, which has no limits. */
  readonly key: string;
  /** A user's key, `<keyId>.<secret>`, with the scope to read workflows only. */
  readonly readerKey: string;
  /** A key of the same user that may also run workflows. */
  readonly runnerKey: string;
  /** The same server through a relay that simulates failures. */
  readonly proxy: FaultyProxy;
  stop(): Promise<void>;
}

/** Workflows that both suites run. */
const WORKFLOWS = fileURLToPath(new URL('./workflows', import.meta.url));

/** Writes a file and an issue, and responds with its input. */
export const AGENT_SCRIPT = `const files = await tools.files.list({ kind: 'input' });
await tools.files.write({ path: 'report/summary.json', content: JSON.stringify(input), contentType: 'application/json' });
console.warn('worth a look');
({ input, files: files.map(({ path, size }) => ({ path, size })) });
`;

/** Requests per address and minute: just enough for the suites, so that excessive polling fails within seconds. */
export const ADDRESS_LIMIT = 40;

export async function serveForClients(): Promise<Served> {
  const home = await mkdtemp(path.join(tmpdir(), 'trapline-clients-'));
  const server = await startTrapline(
    ['start', '--no-demo'],
    { LOG_LEVEL: 'warn', TRAPLINE_LIMIT_ADDRESS: `${ADDRESS_LIMIT}/60s` },
    home,
  );
  const stop = async () => {
    await server.endAll();
    await removeHome(home);
  };
  try {
    const started = () => server.output().includes('Trapline serves');
    await waitFor('a server to try clients against', started, { timeoutMs: 200_000 });
    const { url } = JSON.parse(await readFile(path.join(home, 'data', 'server.json'), 'utf8')) as { url: string };
    const key = (await readFile(path.join(home, 'data', 'operator.key'), 'utf8')).trim();
    const ask = asking(url, key);
    for (const name of await readdir(WORKFLOWS)) {
      const yamlContent = await readFile(path.join(WORKFLOWS, name), 'utf8');
      await ask('PUT', `/api/v1/workflows/${path.parse(name).name}`, { yamlContent, visibility: 'shared' });
    }
    const { readerKey, runnerKey } = await makeUser(ask);
    const proxy = await startFaultyProxy(url);
    return {
      url,
      key,
      readerKey,
      runnerKey,
      proxy,
      async stop() {
        await proxy.stop();
        await stop();
      },
    };
  } catch (error) {
    const said = server.output();
    await stop();
    throw new Error(`no server to try clients against; it said:\n${said}`, { cause: error });
  }
}

type Ask = (method: string, route: string, body: object) => Promise<Record<string, unknown>>;

function asking(url: string, key: string): Ask {
  return async (method, route, body) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const response = await fetch(url + route, { method, headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
}

async function makeUser(ask: Ask): Promise<{ readerKey: string; runnerKey: string }> {
  const account = { email: 'reader@example.org', username: 'reader', role: 'user' };
  const { id } = await ask('POST', '/api/admin/users', account);
  const keyFor = async (label: string, scopes: readonly string[]) =>
    String((await ask('POST', `/api/admin/users/${id}/api-keys`, { label, scopes })).apiKey);
  return {
    readerKey: await keyFor('reads', ['workflows:read']),
    runnerKey: await keyFor('runs', ['workflows:read', 'workflows:run']),
  };
}
