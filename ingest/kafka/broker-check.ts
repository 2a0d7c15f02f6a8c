import type { Admin } from 'kafkajs';
import { createKafkaClient, type KafkaClient, type KafkaConnection } from './client.ts';
import type { KafkaLog } from './log.ts';

/** Whether a topic can be written to now. */
export interface BrokerCheck {
  /** True when the brokers know the topic and its partitions have leaders. Never rejects, and answers within the time-out. */
  isUp(): Promise<boolean>;
  close(): Promise<void>;
}

export interface BrokerCheckConfig {
  readonly connection: KafkaConnection;
  readonly topic: string;
  /** Brokers that take longer are down, ms. Default 1,500: health reports are due after 2,000. */
  readonly timeoutMs?: number;
  /** How long an answer is believed, ms. Default 1,000. */
  readonly freshMs?: number;
}

/** What fails here is reported as a state; the client's log would repeat it every second. */
const SILENT: KafkaLog = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Asks the brokers for the metadata of the topic, at most once at a time. A client that does not answer in time is given up with its
 * connection: a broker that is frozen accepts connections and never answers, and the next one may be another.
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
