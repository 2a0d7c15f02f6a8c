import { crc32 } from 'node:zlib';
import { Cluster, type Redis } from './ioredis.ts';
import type { Channels, SharedStateLogger } from './port.ts';
import { createRedisConnection, type RedisConnection } from './redis-connection.ts';
import type { RedisClient, RedisServers } from './redis-servers.ts';

/**
 * Publishes over the connection for commands. Subscribes over a separate connection, opened for the first listener.
 * After each reconnect, it subscribes to all channels again.
 */
export function createRedisChannels(
  commands: RedisConnection,
  logger: SharedStateLogger,
  config: { readonly servers: RedisServers; readonly commandMs: number; readonly prefix: string },
): Channels & { close(): void } {
  const { prefix } = config;
  const listeners = new Map<string, Set<(message: string) => void>>();
  let listening: RedisConnection | undefined;

  return {
    async publish(channel, message) {
      await commands.call((redis) => publisherOf(redis, channel).publish(prefix + channel, message));
    },
    async subscribe(channel, listener) {
      const connection = connect();
      // A new function per call, so the same listener can be added twice and removed individually.
      const heard = (message: string) => listener(message);
      const known = listeners.get(channel) ?? new Set();
      listeners.set(channel, known.add(heard));
      await connection.settled(config.commandMs);
      await ask(connection, [channel]);
      return async () => {
        known.delete(heard);
        if (known.size > 0 || listeners.get(channel) !== known) return;
        listeners.delete(channel);
        await connection.call((redis) => redis.unsubscribe(prefix + channel)).catch(() => {});
      };
    },
    close() {
      listeners.clear();
      listening?.close();
    },
  };

  function connect(): RedisConnection {
    if (listening !== undefined) return listening;
    const connection = createRedisConnection(logger, { ...config, name: 'trapline-feed' });
    connection.onReady(() => void ask(connection, [...listeners.keys()]));
    connection.redis.on('message', (channel: string, message: string) =>
      deliver(channel.slice(prefix.length), message),
    );
    listening = connection;
    return connection;
  }

  /** Subscribes to channels. A failure is retried when the connection is ready. Idempotent. */
  async function ask(connection: RedisConnection, channels: readonly string[]): Promise<void> {
    if (channels.length === 0) return;
    await connection.call((redis) => redis.subscribe(...channels.map((channel) => prefix + channel))).catch(() => {});
  }

  function deliver(channel: string, message: string): void {
    for (const listener of [...(listeners.get(channel) ?? [])]) setImmediate(listener, message);
  }
}

/**
 * Returns the node to publish a channel on. Each node of a cluster keeps the order of its messages, so all messages of
 * a channel must use the same node.
 */
function publisherOf(redis: RedisClient, channel: string): RedisClient {
  if (!(redis instanceof Cluster)) return redis;
  const nodes = redis.nodes('master').sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
  return nodes[crc32(channel) % nodes.length] ?? redis;
}

function nameOf({ options: { host, port } }: Redis): string {
  return `${host}:${port}`;
}
