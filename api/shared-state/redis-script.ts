import { createHash } from 'node:crypto';
import type { RedisConnection } from './redis-connection.ts';

export type ScriptReply = readonly number[];
export type RunScript = (keys: readonly string[], args: readonly (string | number)[]) => Promise<ScriptReply>;

/**
 * Runs a Lua script by its digest. The text is sent only to a server that does not know it, for example after a
 * restart.
 */
export function createScript({ call }: Pick<RedisConnection, 'call'>, text: string): RunScript {
  const digest = createHash('sha1').update(text).digest('hex');
  return (keys, args) =>
    call(async (redis) => {
      try {
        return (await redis.evalsha(digest, keys.length, ...keys, ...args)) as number[];
      } catch (error) {
        if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
        return (await redis.eval(text, keys.length, ...keys, ...args)) as number[];
      }
    });
}
