import type { Socket } from 'node:net';
import { connect, isIP } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import kafkajs, { type Kafka, type KafkaConfig, type SASLOptions } from 'kafkajs';
import { registerCodecs } from './codecs.ts';
import { requireCorrectedKafkaClient } from './corrected-client.ts';
import { createKafkaLogAdapter, type KafkaLog } from './log.ts';

/** Addresses and credentials of the brokers. */
export interface KafkaConnection {
  readonly brokers: readonly string[];
  /** Appears in the logs and quotas of the brokers. */
  readonly clientId?: string | undefined;
  readonly sasl?:
    | {
        readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
        readonly username: string;
        readonly password: string;
      }
    | undefined;
  /** Enables TLS. `{}` uses the certificate authorities of the system. Values are PEM texts, not file names. */
  readonly tls?:
    | {
        readonly ca?: string | undefined;
        readonly cert?: string | undefined;
        readonly key?: string | undefined;
        /** Name expected in the broker's certificate. Default: its host name. */
        readonly servername?: string | undefined;
        readonly rejectUnauthorized?: boolean | undefined;
      }
    | undefined;
}

/** Opens a connection to a broker, with TLS if `ssl` is set. */
export type OpenSocket = (
  target: { readonly host: string; readonly port: number; readonly ssl: ConnectionOptions | undefined },
  onConnect: () => void,
) => Socket;

/** Opens a connection in the same way as kafkajs. */
export const openDirectly: OpenSocket = ({ host, port, ssl }, onConnect) => {
  const name = isIP(host) ? {} : { servername: host };
  return ssl ? connectTls({ host, port, ...name, ...ssl }, onConnect) : connect({ host, port }, onConnect);
};

export interface KafkaClient {
  readonly kafka: Kafka;
  /** Ends the retries of operations that have lost every connection. Operations on open connections continue. */
  endRetries(): void;
  /** Closes all connections of a client that no longer responds, rejects its new ones and ends its retries. */
  destroy(): void;
}

/**
 * Retries of one operation, about 25 s in total: enough for a broker restart. All five values are set, because the
 * defaults of kafkajs depend on NODE_ENV.
 */
export const RETRY = { retries: 12, initialRetryTime: 100, multiplier: 2, factor: 0.2, maxRetryTime: 3000 } as const;

/** Creates every kafkajs client. Does not connect yet. Throws if the package lacks its corrections. */
export function createKafkaClient(
  connection: KafkaConnection,
  log: KafkaLog,
  tries: number = RETRY.retries,
  open: OpenSocket = openDirectly,
): KafkaClient {
  requireCorrectedKafkaClient();
  registerCodecs();
  const sockets = new Set<Socket>();
  let retriesEnded = false;
  let destroyed = false;
  const { tls, sasl } = connection;
  const config: KafkaConfig = {
    // kafkajs reads this list before each retry, and fails without another retry if it is empty. Its retries would
    // otherwise keep the process alive for half a minute.
    brokers: () => (retriesEnded ? [] : [...connection.brokers]),
    clientId: connection.clientId ?? 'trapline',
    connectionTimeout: 5000,
    authenticationTimeout: 10_000,
    requestTimeout: 30_000,
    retry: { ...RETRY, retries: tries },
    logLevel: kafkajs.logLevel.INFO,
    // What a closed client still tries is bound to fail.
    logCreator: createKafkaLogAdapter(log, () => destroyed),
    ...(tls ? { ssl: withoutUndefined(tls) } : {}),
    ...(sasl ? { sasl: { ...sasl } as SASLOptions } : {}),
    socketFactory({ host, port, ssl, onConnect }) {
      // kafkajs passes `null` or `false` for no TLS.
      const socket = open({ host, port, ssl: ssl || undefined }, onConnect);
      socket.setKeepAlive(true, 30_000);
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      // Otherwise the process would stay alive until the broker closes the idle connection after ten minutes.
      if (destroyed) socket.destroy(new Error('the client is closed'));
      return socket;
    },
  };
  return {
    kafka: new kafkajs.Kafka(config),
    endRetries() {
      retriesEnded = true;
    },
    destroy() {
      retriesEnded = true;
      destroyed = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

function withoutUndefined<T extends object>(given: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
