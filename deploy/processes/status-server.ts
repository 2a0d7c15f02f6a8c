import { type BaseDeps, buildBaseApp } from '#api/http/base-app.ts';
import type { Config } from '../config.ts';
import { connectionOptions } from './connection-options.ts';
import type { Lifecycle } from './lifecycle.ts';
import { listenRefusal } from './listen-refusal.ts';

/** Default ports. One process of each role, including `api` on 8080, can thus run on one machine without settings. */
const DEFAULT_PORTS = { ingest: 8090, worker: 8091 } as const;

/** Returns the port for health and metrics of a role. `PORT` overrides the default. */
export function statusPort({ http }: Pick<Config, 'http'>, role: keyof typeof DEFAULT_PORTS): number {
  return http.isPortGiven ? http.port : DEFAULT_PORTS[role];
}

/** Serves health and metrics of a process that serves nothing else. Resolves to the URL. */
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
    // On another port than the configured one, the probe of this process would reach the program that occupies the
    // port.
    const value = await app.listen({ host, port }).catch(async (error: unknown) => {
      await app.close();
      throw listenRefusal(error, { host, port });
    });
    return { value, stop: () => app.close() };
  });
}
