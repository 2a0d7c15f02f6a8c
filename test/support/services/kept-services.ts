import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPostgresTemplate, type PostgresTemplate } from './postgres-template.ts';
import type { ServiceName, Services, ServiceTypes } from './services.ts';
import { askForService } from './services-server.ts';

/** Where `npm run test:services` leaves the address of the services that it keeps for this checkout. */
const FILE = fileURLToPath(new URL('../../../node_modules/.cache/trapline-test-services.json', import.meta.url));

/** Announces services at `url` to later runs; resolves to the function that withdraws them. */
export async function announceKeptServices(url: string): Promise<() => Promise<void>> {
  await mkdir(dirname(FILE), { recursive: true });
  await writeFile(FILE, JSON.stringify({ url }));
  return () => rm(FILE, { force: true });
}

/** The address of services that `npm run test:services` keeps; undefined when it is not running. */
export async function findKeptServices(): Promise<string | undefined> {
  try {
    const { url } = JSON.parse(await readFile(FILE, 'utf8')) as { url: string };
    await fetch(url);
    return url;
  } catch {
    return undefined; // no file, or its process has ended
  }
}

/**
 * The kept services as the services of one run. They stay when the run ends. The template database belongs to the run, because it holds the
 * migrations of the sources as they are now.
 */
export function borrowServices(url: string): Services {
  let template: Promise<PostgresTemplate & { stop?(): Promise<void> }> | undefined;
  return {
    get<N extends ServiceName>(name: N): Promise<ServiceTypes[N]> {
      if (name !== 'postgresTemplate') return askForService(url, name);
      template ??= askForService(url, 'postgres').then((postgres) => createPostgresTemplate(postgres.url));
      return template as Promise<ServiceTypes[N]>;
    },
    async stop() {
      await (await template?.catch(() => undefined))?.stop?.();
    },
  };
}
