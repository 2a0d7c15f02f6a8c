import { type BaseDeps, buildBaseApp } from '#api/http/base-app.ts';
import type { Config } from '../config.ts';
import { connectionOptions } from './connection-options.ts';
import type { Lifecycle } from './lifecycle.ts';

/** Health and metrics of a process that serves nothing else. Resolves to the URL. */
export function startStatusServer(config: Config, lifecycle: Lifecycle, deps: BaseDeps): Promise<string> {
  return lifecycle.start('status server', async () => {
    const app = await buildBaseApp(deps, connectionOptions(config));
    const { host, port } = config.http;
    // Several processes of one machine keep out of each other's way: the first gets the port, the others any.
    const value = await app.listen({ host, port }).catch(() => app.listen({ host, port: 0 }));
    return { value, stop: () => app.close() };
  });
}
