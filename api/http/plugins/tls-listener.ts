import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TLSSocketOptions } from 'node:tls';
import fp from 'fastify-plugin';
import { Gauge, type Registry } from 'prom-client';
import { type CertificateFiles, readServerCertificate, watchServerCertificate } from '../tls/certificate.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Serves the same routes over TLS, on a port of their own. Present only with `BaseOptions.tls`. */
    listenTls?: (address: { readonly host: string; readonly port: number }) => Promise<AddressInfo>;
  }
}

/** A server whose certificate can be replaced. */
export type TlsServer = Server & { setSecureContext(options: TLSSocketOptions): void };

export interface TlsListenerOptions {
  readonly registry: Registry;
  readonly files: CertificateFiles;
  /** How often the files are read again. Default 10 s. */
  readonly pollMs?: number | undefined;
  /** Time that responses in flight get when the server closes. Default 5 s. */
  readonly graceMs?: number | undefined;
  readonly createServer: (handler: RequestListener, tls: { readonly cert: string; readonly key: string }) => TlsServer;
}

const POLL_MS = 10_000;
const GRACE_MS = 5_000;
/** Events that Fastify and its plugins handle on their own server. */
const FORWARDED = ['upgrade', 'checkExpectation', 'clientError'] as const;

/** Serves all routes over TLS too. A changed certificate is used for new connections, without a restart. */
export const tlsListener = fp<TlsListenerOptions>(
  async (app, { registry, files, pollMs = POLL_MS, graceMs = GRACE_MS, createServer }) => {
    const expiry = new Gauge({
      name: 'trapline_tls_certificate_expiry_timestamp_seconds',
      help: 'End of validity of the certificate that the TLS listener uses, as Unix time.',
      registers: [registry],
    });
    let server: TlsServer | undefined;
    let closed: Promise<unknown> | undefined;
    let closing: NodeJS.Timeout | undefined;
    let unwatch: (() => void) | undefined;

    app.decorate('listenTls', async ({ host, port }) => {
      const first = await readServerCertificate(files);
      expiry.set(first.validTo.getTime() / 1_000);
      await app.ready();
      const listening = createServer((request, response) => app.routing(request, response), first);
      for (const event of FORWARDED) listening.on(event, (...values) => app.server.emit(event, ...values));
      // Decides which requests become WebSockets.
      const { shouldUpgradeCallback } = app.server as Server & { shouldUpgradeCallback?: unknown };
      Object.assign(listening, { shouldUpgradeCallback });
      listening.listen({ host, port });
      await once(listening, 'listening');
      server = listening;
      unwatch = watchServerCertificate(files, first, {
        pollMs,
        changed: ({ cert, key, validTo }) => {
          listening.setSecureContext({ cert, key });
          expiry.set(validTo.getTime() / 1_000);
          app.log.info({ validTo }, 'TLS certificate replaced');
        },
        failed: (err) => app.log.error({ err }, 'cannot use the new TLS certificate: the former one stays in use'),
      });
      return listening.address() as AddressInfo;
    });

    app.addHook('preClose', async () => {
      unwatch?.();
      if (server === undefined) return;
      closed = once(server, 'close');
      server.close();
      closing = setTimeout(() => server?.closeAllConnections(), graceMs);
    });
    app.addHook('onClose', async () => {
      await closed;
      clearTimeout(closing);
    });
  },
  { name: 'tls-listener' },
);
