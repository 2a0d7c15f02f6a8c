import { type BaseDeps, buildBaseApp } from '#api/http/base-app.ts';
import type { Config } from '../config.ts';
import { connectionOptions } from './connection-options.ts';
import type { Lifecycle } from './lifecycle.ts';
import { listenRefusal } from './listen-refusal.ts';

/** Health and metrics of a process that serves nothing else. Resolves to the URL. */
export function startStatusServer(config: Config, lifecycle: Lifecycle, deps: BaseDeps): Promise<string> {
  return lifecycle.start('status server', async () => {
    const app = await buildBaseApp(deps, connectionOptions(config));
    const { host, port } = config.http;
    // Another port than the configured one would leave the probe of this process to the program that has the port.
    const value = await app.listen({ host, port }).catch(async (error: unknown) => {
      await app.close();
      throw listenRefusal(error, { host, port });
    });
    return { value, stop: () => app.close() };
  });
}
