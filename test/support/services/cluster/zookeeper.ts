import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { serviceFiles } from '../../install-services.mjs';
import { commandAt, LOOPBACK, type Place } from '../../place.ts';
import { waitFor } from '../../wait-for.ts';
import { type RestartableProcess, restartable } from '../restartable.ts';
import { supervise } from '../supervised-process.ts';

/** ZooKeeper limits session timeouts to 2 to 20 ticks. */
const TICK_MS = 500;

/** Starts one ZooKeeper as a local Java process that ends with this one. It keeps its data in `home` after a kill. */
export async function startZooKeeper(home: string, port: number, place: Place = LOOPBACK): Promise<RestartableProcess> {
  const { zooKeeperJars: jars } = serviceFiles();
  if (!existsSync(jars)) throw new Error('ZooKeeper is not installed: run `node test/support/install-services.mjs`');
  await mkdir(home, { recursive: true });
  const settings = {
    tickTime: TICK_MS,
    dataDir: home,
    clientPort: port,
    clientPortAddress: place.address,
    'admin.enableServer': false,
    maxClientCnxns: 0,
    'autopurge.purgeInterval': 0,
  };
  const file = join(home, 'zoo.cfg');
  await writeFile(
    file,
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  return restartable(async () => {
    const process = supervise({
      ...commandAt(place, 'java', [
        '-Xmx256m',
        '-XX:+UseSerialGC',
        '-XX:TieredStopAtLevel=1',
        '-cp',
        join(jars, '*'),
        'org.apache.zookeeper.server.ZooKeeperServerMain',
        file,
      ]),
      logFile: join(home, 'zookeeper.log'),
    });
    await waitFor('ZooKeeper to serve', async () => !process.running || (await serves(port, place.address)), {
      timeoutMs: 60_000,
    });
    if (!process.running) throw new Error(`ZooKeeper ended:\n${process.output()}`);
    return process;
  });
}

/**
 * Resolves to true if ZooKeeper serves. It accepts connections before that, but answers the command `srvr` only when it
 * serves.
 */
async function serves(port: number, address: string): Promise<boolean> {
  const socket = connect(port, address).setEncoding('utf8');
  socket.setTimeout(2_000, () => socket.destroy(new Error('no answer')));
  socket.write('srvr');
  let answer = '';
  for await (const text of socket) answer += text;
  return answer.includes('Mode:');
}
