import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClickHouseTemplate } from './clickhouse-template.ts';
import { createPostgresTemplate } from './postgres-template.ts';
import type { ServiceName, Services, ServiceTypes } from './services.ts';
import { askForService } from './services-server.ts';

/** File in which `npm run test:services` stores the address of the services that it keeps for this checkout. */
const FILE = fileURLToPath(new URL('../../../node_modules/.cache/trapline-test-services.json', import.meta.url));

/** Announces services at `url` to later runs. Resolves to a function that withdraws them. */
export async function announceKeptServices(url: string): Promise<() => Promise<void>> {
  await mkdir(dirname(FILE), { recursive: true });
  await writeFile(FILE, JSON.stringify({ url }));
  return () => rm(FILE, { force: true });
}

/** Resolves to the address of services that `npm run test:services` keeps; undefined if it is not running. */
export async function findKeptServices(): Promise<string | undefined> {
  try {
    const { url } = JSON.parse(await readFile(FILE, 'utf8')) as { url: string };
    await fetch(url);
    return url;
  } catch {
    return undefined; // the file does not exist, or its process has ended
  }
}

/**
 * Returns the kept services as the services of one run. They continue when the run ends. The templates belong to the
 * run, because they contain the current migrations of the sources.
 */
export function borrowServices(url: string): Services {
  type Template = { stop(): Promise<void> };
  const templates = new Map<ServiceName, Promise<Template>>();
  const make: Partial<Record<ServiceName, () => Promise<Template>>> = {
    clickHouseTemplate: async () => createClickHouseTemplate(await askForService(url, 'clickHouse')),
    postgresTemplate: async () => createPostgresTemplate((await askForService(url, 'postgres')).url),
  };
  return {
    get<N extends ServiceName>(name: N): Promise<ServiceTypes[N]> {
      const makeTemplate = make[name];
      if (makeTemplate === undefined) return askForService(url, name);
      const template = templates.get(name) ?? makeTemplate();
      templates.set(name, template);
      return template as Promise<unknown> as Promise<ServiceTypes[N]>;
    },
    async stop() {
      await Promise.all(
        [...templates.values()].map(async (template) => (await template.catch(() => undefined))?.stop()),
      );
    },
  };
}
