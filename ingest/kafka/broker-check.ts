import type { Admin } from 'kafkajs';
import { createKafkaClient, type KafkaClient, type KafkaConnection } from './client.ts';
import type { KafkaLog } from './log.ts';

/** Checks whether a topic can be written to. */
export interface BrokerCheck {
  /**
   * Returns true if the brokers know the topic and its partitions have leaders. Never rejects; resolves within the
   * timeout.
   */
  isUp(): Promise<boolean>;
  close(): Promise<void>;
}

export interface BrokerCheckConfig {
  readonly connection: KafkaConnection;
  readonly topic: string;
  /** Brokers that take longer count as unavailable, ms. Default 1,500, because health reports are due after 2,000. */
  readonly timeoutMs?: number;
  /** How long a result is cached, ms. Default 1,000. */
  readonly freshMs?: number;
}

/** Failures are reported as a state. The log of the client would repeat them every second. */
const SILENT: KafkaLog = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Requests the metadata of the topic, with at most one request in flight. If a client does not respond in time, it is
 * replaced together with its connection. A frozen broker accepts connections but never responds, and the new client may
 * reach another broker.
 */
export function createBrokerCheck(config: BrokerCheckConfig): BrokerCheck {
  const { connection, topic, timeoutMs = 1_500, freshMs = 1_000 } = config;
  let current: { readonly client: KafkaClient; readonly admin: Admin; readonly connected: Promise<void> } | undefined;
  let known: { readonly up: boolean; readonly atMs: number } | undefined;
  let asking: Promise<boolean> | undefined;
  let closed = false;

  async function ask(): Promise<boolean> {
    const { promise: late, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(resolve, timeoutMs, false);
    const up = await Promise.race([readMetadata(), late]);
    clearTimeout(timer);
    if (!up) drop();
    known = { up, atMs: performance.now() };
    asking = undefined;
    return up;
  }

  async function readMetadata(): Promise<boolean> {
    try {
      current ??= connect();
      await current.connected;
      const { topics } = await current.admin.fetchTopicMetadata({ topics: [topic] });
      return topics.every(({ partitions }) => partitions.every(({ leader }) => leader >= 0));
    } catch {
      return false;
    }
  }

  function connect() {
    const client = createKafkaClient(connection, SILENT, 0);
    const admin = client.kafka.admin();
    return { client, admin, connected: admin.connect() };
  }

  function drop(): void {
    const old = current;
    current = undefined;
    old?.connected.catch(() => {});
    old?.client.destroy();
  }

  return {
    async isUp() {
      if (closed) return false;
      if (known !== undefined && performance.now() - known.atMs < freshMs) return known.up;
      asking ??= ask();
      return asking;
    },
    async close() {
      closed = true;
      await asking;
      const old = current;
      current = undefined;
      await old?.admin.disconnect().catch(() => {});
      old?.client.destroy();
    },
  };
}
