import { existsSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registryJar, serviceFiles } from '../install-services.mjs';
import { waitFor } from '../wait-for.ts';
import { freePort } from './free-ports.mjs';
import { type Restartable, restartable } from './restartable.ts';
import { supervise } from './supervised-process.ts';

export interface SchemaRegistryService {
  /** Root of the Confluent API. */
  readonly url: string;
}

/**
 * Starts Apicurio Registry as a local Java process that ends with this one. Schemas are stored in a file below
 * `dataDir` and survive a kill; without `dataDir` they are in memory.
 */
export async function startSchemaRegistry(
  options: { dataDir?: string; port?: number } = {},
): Promise<SchemaRegistryService & Restartable> {
  const files = serviceFiles();
  if (!existsSync(files.registry))
    throw new Error('the registry is not installed: run `node test/support/install-services.mjs`');
  const port = options.port ?? (await freePort());
  const home = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'trapline-registry-')));
  await mkdir(home, { recursive: true });
  const url = `http://127.0.0.1:${port}/apis/ccompat/v7`;
  const storage =
    options.dataDir === undefined ? [] : [`-Dapicurio.datasource.url=jdbc:h2:file:${join(home, 'schemas')}`];
  const launch = async () => {
    const process = supervise({
      command: 'java',
      args: [
        '-Xmx256m',
        '-XX:+UseSerialGC',
        '-XX:TieredStopAtLevel=1',
        '-XX:-UsePerfData',
        // Java starts without the archive if it is missing or belongs to another Java version.
        ...(existsSync(files.registryClasses) ? [`-XX:SharedArchiveFile=${files.registryClasses}`] : []),
        '-Xlog:cds=off',
        '-Xlog:cds+dynamic=off',
        '-Dquarkus.http.host=127.0.0.1',
        `-Dquarkus.http.port=${port}`,
        '-Dquarkus.log.level=WARN',
        ...storage,
        '-jar',
        registryJar(files),
      ],
      cwd: home,
      logFile: join(home, 'registry.log'),
      ...(options.dataDir === undefined ? { removeAtEnd: home } : {}),
    });
    await waitFor('the registry to answer', async () => !process.running || (await answers(`${url}/subjects`)), {
      timeoutMs: 110_000,
      everyMs: 50,
    });
    if (!process.running) throw new Error(`the registry ended:\n${process.output()}`);
    return process;
  };
  return { url, ...(await restartable(launch, options.dataDir === undefined ? home : undefined)) };
}

/** Resolves to true if an HTTP GET gets a successful response. */
export async function answers(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
  await response.body?.cancel();
  return response.ok;
}
