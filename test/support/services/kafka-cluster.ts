import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serviceFiles } from '../install-services.mjs';
import { commandAt, type Place } from '../place.ts';
import { waitFor } from '../wait-for.ts';
import { kafkaProperties } from './kafka-properties.ts';
import { formatStorage } from './kafka-storage.ts';
import { listens } from './listens.mjs';
import { type RestartableProcess, restartable } from './restartable.ts';
import { supervise } from './supervised-process.ts';

const PORT = 9092;
const CONTROLLER_PORT = 9093;

export interface KafkaNode extends RestartableProcess {
  /** Folder of its log. */
  readonly data: string;
}

/**
 * Kafka brokers that also form the controller quorum. With three brokers, two must have a record before it is
 * acknowledged.
 */
export interface KafkaCluster {
  readonly brokers: readonly string[];
  readonly nodes: readonly KafkaNode[];
  stop(): Promise<void>;
}

export interface KafkaClusterOptions {
  /** Places of the brokers: one or three, each with a separate address. */
  readonly places: readonly Place[];
  /** Folder of the logs. It is not removed. */
  readonly home: string;
  /**
   * Enables the optimizing compiler, which costs more than it saves unless millions of records follow. Default: false.
   */
  readonly optimizing?: boolean;
  /** Called with the empty data folder of each broker before it starts. */
  readonly prepare?: (data: string) => Promise<void>;
}

export async function startKafkaCluster(options: KafkaClusterOptions): Promise<KafkaCluster> {
  const { places, home, optimizing = false, prepare = async () => {} } = options;
  const { kafkaJars: jars, kafkaClasses } = serviceFiles();
  if (!existsSync(jars)) throw new Error('Kafka is not installed: run `node test/support/install-services.mjs`');
  const logging = fileURLToPath(new URL('./kafka/log4j2.yaml', import.meta.url));
  const voters = places.map(({ address }, index) => `${index + 1}@${address}:${CONTROLLER_PORT}`).join();

  // The brokers start together: none serves before a majority of the controllers runs.
  const nodes = await Promise.all(
    places.map(async (place, index): Promise<KafkaNode> => {
      const folder = join(home, `kafka-${index + 1}`);
      const data = join(folder, 'log');
      await mkdir(data, { recursive: true });
      await prepare(data);
      await formatNode(data, index + 1);
      const properties = join(folder, 'server.properties');
      await writeFile(properties, nodeProperties(place, index + 1, voters, places.length, data));
      const launch = async () => {
        const process = supervise({
          ...commandAt(place, 'java', [
            '-Xms96m',
            '-Xmx256m',
            ...(optimizing ? ['-XX:+UseG1GC'] : ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']),
            '-XX:-UsePerfData',
            ...(existsSync(kafkaClasses) ? [`-XX:SharedArchiveFile=${kafkaClasses}`] : []),
            '-Xlog:cds=off',
            '-Xlog:cds+dynamic=off',
            '-Djava.awt.headless=true',
            `-Dlog4j2.configurationFile=${logging}`,
            '-cp',
            join(jars, '*'),
            'kafka.Kafka',
            properties,
          ]),
          logFile: join(folder, 'broker.log'),
        });
        await waitFor('the broker to listen', async () => !process.running || (await listens(PORT, place.address)), {
          timeoutMs: 150_000,
        });
        if (!process.running) throw new Error(`the broker ended:\n${process.output()}`);
        return process;
      };
      return { data, ...(await restartable(launch)) };
    }),
  );
  return {
    brokers: places.map(({ address }) => `${address}:${PORT}`),
    nodes,
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}

/** Creates the empty log of a single broker and sets the identity of this one. */
async function formatNode(data: string, id: number): Promise<void> {
  await formatStorage(data);
  const file = join(data, 'meta.properties');
  const directoryId = randomBytes(16).toString('base64url').replace(/^-/, 'A'); // ids that begin with a dash are reserved
  const text = await readFile(file, 'utf8');
  await writeFile(
    file,
    text.replace(/^node\.id=.*$/m, `node.id=${id}`).replace(/^directory\.id=.*$/m, `directory.id=${directoryId}`),
  );
}

/** Returns the properties of a single broker, followed by those of a cluster. The last line of a key applies. */
function nodeProperties(place: Place, id: number, voters: string, brokers: number, data: string): string {
  const { address } = place;
  const inSync = brokers > 1 ? 2 : 1;
  return [
    kafkaProperties({ plain: PORT, controller: CONTROLLER_PORT }, data, undefined, address),
    `node.id=${id}`,
    `controller.quorum.voters=${voters}`,
    `listeners=PLAINTEXT://${address}:${PORT},CONTROLLER://${address}:${CONTROLLER_PORT}`,
    `advertised.listeners=PLAINTEXT://${address}:${PORT}`,
    `offsets.topic.replication.factor=${brokers}`,
    `transaction.state.log.replication.factor=${brokers}`,
    `transaction.state.log.min.isr=${inSync}`,
    `share.coordinator.state.topic.replication.factor=${brokers}`,
    `share.coordinator.state.topic.min.isr=${inSync}`,
    `default.replication.factor=${brokers}`,
    `min.insync.replicas=${inSync}`,
    // Shorter than the defaults of 30 s and 9 s, so that a silent follower leaves the in-sync replicas sooner.
    'replica.lag.time.max.ms=4000',
    'broker.session.timeout.ms=3000',
    'broker.heartbeat.interval.ms=500',
    // Index files of 1 MiB, so that empty ones do not fill a small disk.
    'log.index.size.max.bytes=1048576',
    'metadata.log.segment.bytes=8388608',
    'metadata.max.idle.interval.ms=500',
    '',
  ].join('\n');
}
