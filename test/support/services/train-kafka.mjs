// Creates the class archive of Kafka. Plain JavaScript: it runs at installation, on the machine's own Node.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeClassArchive } from './class-archive.mjs';
import { freePorts } from './free-ports.mjs';
import { listens } from './listens.mjs';

const run = promisify(execFile);

/** Any id in the format that Kafka requires. */
export const CLUSTER_ID = 'Uz_A2g2ZQNWjTq2ckpOD6A';

/** @param {string} jars folder @param {string} archive file to make */
export async function trainKafka(jars, archive) {
  await makeClassArchive(archive, async (folder) => {
    const [port, controller] = await freePorts(2);
    const properties = join(folder, 'server.properties');
    writeFileSync(
      properties,
      [
        'process.roles=broker,controller',
        'node.id=1',
        `controller.quorum.voters=1@127.0.0.1:${controller}`,
        `listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}`,
        'controller.listener.names=CONTROLLER',
        'offsets.topic.replication.factor=1',
        'offsets.topic.num.partitions=1',
        'group.initial.rebalance.delay.ms=0',
        `log.dirs=${join(folder, 'log')}`,
      ].join('\n'),
    );
    const classPath = ['-cp', join(jars, '*')];
    const format = ['format', '--cluster-id', CLUSTER_ID, '--config', properties];
    await run('java', ['-XX:TieredStopAtLevel=1', ...classPath, 'kafka.tools.StorageTool', ...format]);
    const broker = ['-b', `127.0.0.1:${port}`];
    return {
      args: ['-Xmx512m', ...classPath, 'kafka.Kafka', properties],
      serves: () => listens(port),
      // Creates a topic, writes a record, reads it with a consumer group and commits the offset.
      async use() {
        const records = join(folder, 'records');
        writeFileSync(records, 'training\n');
        await run('kcat', [...broker, '-P', '-t', 'training', '-l', records], { timeout: 60_000 });
        const options = ['-c', '1', '-X', 'auto.offset.reset=earliest'];
        await run('kcat', [...broker, '-G', 'training', ...options, 'training'], { timeout: 60_000 });
      },
    };
  });
}
