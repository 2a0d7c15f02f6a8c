import { type BaseDeps, buildBaseApp } from '#api/http/base-app.ts';
import type { Config } from '../config.ts';
import { connectionOptions } from './connection-options.ts';
import type { Lifecycle } from './lifecycle.ts';
import { listenRefusal } from './listen-refusal.ts';

/** Ports while `PORT` is not set: one process of each role, `api` on 8080 included, starts on one machine without settings. */
const DEFAULT_PORTS = { ingest: 8090, worker: 8091 } as const;

/** Where a process of this role serves its health and metrics; `PORT` stands above the default. */
export function statusPort({ http }: Pick<Config, 'http'>, role: keyof typeof DEFAULT_PORTS): number {
  return http.isPortGiven ? http.port : DEFAULT_PORTS[role];
}

/** Health and metrics of a process that serves nothing else. Resolves to the URL. */
export function startStatusServer(
  config: Config,
  role: keyof typeof DEFAULT_PORTS,
  lifecycle: Lifecycle,
  deps: BaseDeps,
): Promise<string> {
  return lifecycle.start('status server', async () => {
    const app = await buildBaseApp(deps, connectionOptions(config));
    const { host } = config.http;
    const port = statusPort(config, role);
    // Another port than the configured one would leave the probe of this process to the program that has the port.
    const value = await app.listen({ host, port }).catch(async (error: unknown) => {
      await app.close();
      throw listenRefusal(error, { host, port });
    });
    return { value, stop: () => app.close() };
  });
}
