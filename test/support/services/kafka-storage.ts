import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { KAFKA_VERSION, serviceFiles, servicesCache } from '../install-services.mjs';
import { makeOnce } from '../make-once.mjs';
import { KAFKA_USER, kafkaProperties } from './kafka-properties.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { CLUSTER_ID } from './train-kafka.mjs';

const run = promisify(execFile);

/** Returns the arguments with which the storage tool creates an empty log with the SCRAM accounts. */
export function formatArguments(properties: string): string[] {
  const { username, password } = KAFKA_USER;
  const scram = ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
    '--add-scram',
    `${mechanism}=[name=${username},password=${password}]`,
  ]);
  return ['format', '--cluster-id', CLUSTER_ID, '--config', properties, ...scram];
}

/**
 * Creates a formatted, empty log in `dataDir` unless it exists. Formatting needs a separate Java process (1.5 s), and
 * the result contains neither ports nor folders, so it is created once per machine and copied.
 */
export async function formatStorage(dataDir: string): Promise<void> {
  if (existsSync(join(dataDir, 'meta.properties'))) return;
  const template = join(servicesCache(), `kafka-${KAFKA_VERSION}-empty-log`);
  await makeOnce(template, (log) =>
    temporaryFolder('kafka-format', async (folder) => {
      const properties = join(folder, 'server.properties');
      await writeFile(properties, kafkaProperties({ plain: 9092, controller: 9093 }, log));
      const jars = join(serviceFiles().kafkaJars, '*');
      const jvm = ['-XX:TieredStopAtLevel=1', '-Xmx128m', '-cp', jars];
      await run('java', [...jvm, 'kafka.tools.StorageTool', ...formatArguments(properties)]);
    }),
  );
  await cp(template, dataDir, { recursive: true });
}
