import { fileURLToPath } from 'node:url';
import { expectCapture } from '#test/compose-check/check-project.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { run } from '../run.ts';
import { serverOf } from './install.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Sends the captured attack over HTTP and waits for its events and its detection. */
export async function sendCapture(cluster: Cluster): Promise<string> {
  const server = await serverOf(cluster);
  const options = ['--from', `${ROOT}deploy/demo/attack.kmsg`, '--hostname', 'captured', '--to', server.url];
  await run(process.execPath, [`${ROOT}deploy/cli/main.ts`, 'detect', ...options], {
    env: { TRAPLINE_API_KEY: server.key },
  });
  let figures = '';
  await expectCapture(server, 'captured attack', (line) => {
    figures = line;
  });
  return figures;
}
