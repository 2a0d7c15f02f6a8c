import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { serverProof } from '#api/accounts/keys/server-proof.ts';
import { type AppDeps, buildApp } from '#api/app.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { CertificateProblem } from '#api/http/tls/certificate.ts';
import { usageError } from '../cli/command-error.ts';
import { isLoopback } from '../config/loopback.ts';
import type { Config } from '../config.ts';
import { dataDirectoryProblem } from '../data-directory.ts';
import { announceLocalServer } from '../local-server.ts';
import { serverOperatorKey } from '../operator-key.ts';
import { connectionOptions } from './connection-options.ts';
import type { Lifecycle } from './lifecycle.ts';
import { listenRefusal } from './listen-refusal.ts';
import { localUrl } from './local-url.ts';

/** Serves HTTP and announces the server in the data directory, if any. Resolves to the URL. */
export async function startHttpRole(config: Config, lifecycle: Lifecycle, deps: AppDeps): Promise<string> {
  const operatorKey = await serverOperatorKey(config.dataDir);
  let announced = '';
  let draining = false;
  const proveServer =
    operatorKey === undefined ? undefined : (nonce: string) => serverProof(operatorKey, { url: announced, nonce });
  const url = await lifecycle.start('HTTP server', async () => {
    const app = await buildApp(
      { ...deps, proveServer, isDraining: () => draining },
      {
        ...connectionOptions(config),
        maxRecords: config.httpLimits.requestEvents,
        tls: config.http.tls,
      },
    );
    const { host, port: wanted, tls } = config.http;
    await app.listen({ host, port: wanted }).catch(async (error: unknown) => {
      await app.close();
      throw listenRefusal(error, config.http);
    });
    if (tls !== undefined) await serveTls(app, tls, deps.logger);
    const { address, port } = app.server.address() as AddressInfo;
    if (!isLoopback(address)) {
      deps.logger.warn(
        { address },
        'HTTP without TLS is open to other machines: set HOST to 127.0.0.1 and serve HTTPS, or put a TLS proxy in front of it',
      );
    }
    announced = localUrl(address, port);
    const drain = async () => {
      draining = true;
      await delay(config.http.drainMs);
    };
    return { value: announced, drain, stop: () => app.close(), takesWork: true };
  });
  const problem = await dataDirectoryProblem(config.dataDir);
  if (problem === undefined)
    await lifecycle.start('server announcement', async () => ({
      value: undefined,
      stop: await announceLocalServer(config.dataDir, { url, pid: process.pid }),
    }));
  else
    deps.logger.info(
      { problem, operatorKey: operatorKey !== undefined },
      'the command line does not find this server by its data directory: set TRAPLINE_URL and TRAPLINE_API_KEY for it',
    );
  return url;
}

/** Serves HTTPS too. Closes the app if that is not possible. */
async function serveTls(
  app: ApiServer,
  tls: NonNullable<Config['http']['tls']>,
  logger: AppDeps['logger'],
): Promise<void> {
  try {
    const address = await app.listenTls?.(tls);
    logger.info({ address: address?.address, port: address?.port }, 'HTTPS is served');
  } catch (error) {
    await app.close();
    if (error instanceof CertificateProblem) throw usageError(`TRAPLINE_TLS_CERT_FILE: ${error.message}`);
    throw listenRefusal(error, tls, { host: 'TRAPLINE_TLS_HOST', port: 'TRAPLINE_TLS_PORT' });
  }
}
