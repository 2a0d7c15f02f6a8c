import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type SharedState, type SharedStateLogger, SharedStateUnavailable, type WindowCount } from './port.ts';
import { createRedisChannels } from './redis-channels.ts';
import { createRedisConnection } from './redis-connection.ts';
import { createRedisCounts } from './redis-counts.ts';
import { createScript, type ScriptReply } from './redis-script.ts';
import type { RedisServers } from './redis-servers.ts';
import { countOrBlockScript, takeScript } from './sliding-window.lua.ts';

export interface RedisSharedStateOptions {
  readonly servers: RedisServers;
  readonly logger: SharedStateLogger;
  /** Prefix of every key and channel, so installations can share a server. Default `trapline:`. */
  readonly prefix?: string;
  /** Command timeout in ms, after which Redis counts as unavailable. Default 250. */
  readonly commandMs?: number;
}

/**
 * KEYS: lock. ARGV: token. Only the holder releases a lock: it may have expired and been acquired by another holder.
 */
const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return {redis.call('DEL', KEYS[1])} end
return {0}
`;
const CONNECT_MS = 2_000;
/**
 * Number of groups. Events of one group are sent in one call and are on one node of a cluster. Enough groups to spread
 * the work over many nodes, but few enough that calls contain many events.
 */
const CLUSTER_GROUPS = 64;

/**
 * Shared state in Redis. Resolves when it is connected, or after 2 s if Redis is unavailable; it then connects later.
 */
export async function createRedisSharedState(options: RedisSharedStateOptions): Promise<SharedState> {
  const { servers, logger, prefix = 'trapline:', commandMs = 250 } = options;
  const connection = createRedisConnection(logger, { servers, commandMs, name: 'trapline' });
  const { call } = connection;
  const channels = createRedisChannels(connection, logger, { servers, commandMs, prefix: `${prefix}channel:` });
  const take = createScript(connection, takeScript());
  const groups = servers.cluster === true ? CLUSTER_GROUPS : 1;
  const count = createRedisCounts(createScript(connection, countOrBlockScript()));
  const release = createScript(connection, RELEASE);
  // The part in braces determines the node of a cluster. All keys of one call must have the same part.
  const windowKey = (key: string) => `${prefix}window:{windows}:${key}`;
  // A single server has one group, which saves a checksum per request.
  const groupOf = groups === 1 ? () => '{0}' : (key: string) => `{${crc32(key) % groups}}`;
  const blockKey = (key: string, group = groupOf(key)) => `${prefix}block:${group}:${key}`;
  const cacheKey = (key: string) => `${prefix}cache:${key}`;
  const lockKey = (key: string) => `${prefix}lock:${key}`;
  await connection.settled(CONNECT_MS);

  return {
    windows: {
      async take(wanted) {
        if (new Set(wanted.map(({ key }) => key)).size < wanted.length)
          throw new RangeError('the keys of one call must differ');
        const limits = wanted.flatMap(({ limit, windowMs }) => [limit, windowMs * 1000]);
        return windowCount(
          await take(
            wanted.map(({ key }) => windowKey(key)),
            [1, ...limits],
          ),
        );
      },
      peek: async (key, { limit, windowMs }) => windowCount(await take([windowKey(key)], [0, limit, windowMs * 1000])),
      async clear(keys) {
        if (keys.length > 0) await call((redis) => redis.unlink(keys.map(windowKey)));
      },
    },
    blocks: {
      async block(key, ms) {
        await call((redis) => redis.set(blockKey(key), '', 'PX', wholeMs(ms)));
      },
      // -1 means no expiry, -2 no key.
      remaining: async (key) => Math.max(0, await call((redis) => redis.pttl(blockKey(key)))),
      async unblock(key) {
        await call((redis) => redis.unlink(blockKey(key)));
      },
      countOrBlock({ key, limit, windowMs }, blockMs) {
        const group = groupOf(key);
        return count({
          group,
          window: `${prefix}count:${group}:${key}`,
          block: blockKey(key, group),
          limit,
          windowUs: windowMs * 1000,
          blockMs: wholeMs(blockMs),
        });
      },
    },
    cache: {
      get: async (key) => (await call((redis) => redis.get(cacheKey(key)))) ?? undefined,
      async set(key, value, ttlMs) {
        await call((redis) => redis.set(cacheKey(key), value, 'PX', wholeMs(ttlMs)));
      },
      setIfAbsent: async (key, value, ttlMs) =>
        (await call((redis) => redis.set(cacheKey(key), value, 'PX', wholeMs(ttlMs), 'NX'))) === 'OK',
      async delete(key) {
        await call((redis) => redis.unlink(cacheKey(key)));
      },
    },
    locks: {
      async acquire(key, ttlMs) {
        const token = randomUUID();
        const set = await call((redis) => redis.set(lockKey(key), token, 'PX', wholeMs(ttlMs), 'NX'));
        if (set !== 'OK') return undefined;
        return {
          async release() {
            await release([lockKey(key)], [token]).catch(ignoreUnavailable);
          },
        };
      },
    },
    channels,
    state: connection.state,
    async close() {
      channels.close();
      connection.close();
    },
  };
}

function windowCount([allowed, remaining = 0, resetUs = 0]: ScriptReply): WindowCount {
  return { allowed: allowed === 1, remaining, resetMs: resetUs / 1000 };
}

/** Redis requires whole ms of at least 1. */
function wholeMs(ms: number): number {
  return Math.max(1, Math.ceil(ms));
}

/** A lock that cannot be released expires. */
function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof SharedStateUnavailable)) throw error;
}
