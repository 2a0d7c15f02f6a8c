import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { docker, runShown } from '#deploy/images/docker.ts';
import {
  installServices,
  KAFKA_VERSION,
  prometheusProgram,
  REGISTRY_VERSION,
  serviceFiles,
} from '#test/support/install-services.mjs';

/** Image names by build stage, as cluster.yaml and the tests name them. */
const IMAGES = {
  kafka: `apache/kafka:${KAFKA_VERSION}`,
  registry: `apicurio/apicurio-registry:${REGISTRY_VERSION}`,
  clickhouse: 'clickhouse/clickhouse-server:26.7',
  postgres: 'postgres:17',
  redis: 'redis:7',
  prometheus: 'prom/prometheus:v3.5.0',
} as const;

/** Copies the files that an image contains and that are not next to the Dockerfile. */
const FILES: Readonly<Partial<Record<StandIn, (context: string) => Promise<void>>>> = {
  kafka: copyKafka,
  registry: copyRegistry,
  prometheus: copyPrometheus,
};

export type StandIn = keyof typeof IMAGES;
const ALL = Object.keys(IMAGES) as readonly StandIn[];

/**
 * Builds the stand-ins `wanted` and tags them with the names of the official images. Replaces existing images with
 * these names, so it must run on a separate engine.
 */
export async function buildStandIns(network: string, wanted = ALL): Promise<void> {
  // Selects local processes although a Docker engine is running: the jars are needed here.
  await installServices({ env: { ...process.env, DOCKER_HOST: 'unix:///dev/null' } });
  for (const stage of wanted) await buildStandIn(stage, network);
}

/** Docker sends the whole context folder for each image, so the folder contains the files of this image only. */
async function buildStandIn(stage: StandIn, network: string): Promise<void> {
  const image = IMAGES[stage];
  const context = await mkdtemp(join(tmpdir(), 'trapline-stand-ins-'));
  try {
    await cp(import.meta.dirname, context, { recursive: true });
    await FILES[stage]?.(context);
    const node = `--build-arg=NODE_IMAGE=node:${process.versions.node}-bookworm-slim`;
    const options = [`--network=${network}`, node, `--target=${stage}`, `--tag=${image}`];
    await runShown('docker', ['build', ...options, '.'], context);
    process.stdout.write(`${image} ${await docker('image', 'inspect', '--format={{.Id}}', image)}\n`);
  } finally {
    await rm(context, { recursive: true, force: true });
  }
}

async function copyKafka(context: string): Promise<void> {
  await cp(serviceFiles().kafkaJars, join(context, 'kafka'), { recursive: true });
}

async function copyRegistry(context: string): Promise<void> {
  const folder = join(context, 'registry');
  await cp(serviceFiles().registry, folder, { recursive: true });
  await rename(join(folder, `apicurio-registry-app-${REGISTRY_VERSION}-runner.jar`), join(folder, 'registry.jar'));
}

async function copyPrometheus(context: string): Promise<void> {
  const prometheus = prometheusProgram('prometheus');
  if (prometheus === undefined) throw new Error('prometheus is not installed');
  await cp(prometheus, join(context, 'prometheus'));
}
