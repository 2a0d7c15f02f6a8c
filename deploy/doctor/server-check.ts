import { connectToServer } from '../cli/server-connection.ts';
import type { Config } from '../config.ts';
import { findLocalServer } from '../local-server.ts';
import { type Check, fine, look, wrong } from './check.ts';

/** Checks that the running server, if any, is ready and accepts our key. */
export function serverCheck(config: Config): Check {
  return { name: 'server', advice: 'check TRAPLINE_URL and TRAPLINE_API_KEY', run: () => checkServer(config) };
}

async function checkServer(config: Config) {
  if (config.server.url === undefined && (await findLocalServer(config.dataDir)) === undefined) {
    return fine('none runs on this data directory');
  }
  const server = await connectToServer(config);
  const ready = await server.fetch('/readyz');
  const { status, components } = (await ready.json()) as { status: string; components: Record<string, string> };
  const ailing = Object.entries(components).filter(([, state]) => state !== 'ok');
  const found = [server.url, ...ailing.map(([name, state]) => `${name} is ${state}`)].join(', ');
  if (status === 'down' || Object.values(components).includes('down')) return wrong(found, 'check its log');
  const { ok } = await server.fetch('/api/rules');
  if (!ok)
    return wrong(
      `${server.url} does not take the key`,
      'set TRAPLINE_API_KEY, or run this as the user who started the server',
    );
  return status === 'ok' ? fine(`${server.url} is ready`) : look(found, 'check its log');
}
