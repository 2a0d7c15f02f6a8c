import { Cluster, ReplyError } from './ioredis.ts';
import { type SharedStateLogger, SharedStateUnavailable } from './port.ts';
import { openRedis, type RedisClient, type RedisServers } from './redis-servers.ts';

export interface RedisConnection {
  readonly redis: RedisClient;
  /** Runs a command; rejects with `SharedStateUnavailable` at once while Redis is unavailable, and after the time a command may take. */
  call<T>(command: (redis: RedisClient) => Promise<T>): Promise<T>;
  state(): 'ok' | 'down';
  /** Calls the listener each time it is connected. */
  onReady(listener: () => void): void;
  /** Resolves when it is connected, or when `ms` have passed. */
  settled(ms: number): Promise<void>;
  close(): void;
}

export interface RedisConnectionConfig {
  readonly servers: RedisServers;
  /** How long a command may take. */
  readonly commandMs: number;
  readonly name: string;
}

/** Answers of a server that runs but can't serve now: it starts, fails over, has no memory, waits for its disk or a script. */
const PASSING = /^(?:LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|OOM|MISCONF|NOREPLICAS|BUSY|NOAUTH|NOPERM)\b/;
const MAX_PAUSE_MS = 1_000;
/** In how many turns the time of a command is waited for: a process that was busy, however long, loses one of them. */
const TURNS = 5;
/** An idle connection, or one that only listens, would not notice that nothing arrives any more. */
const HEARTBEAT_MS = 2_000;

/**
 * A connection that reconnects by itself and never blocks: no command is queued while it is down, none is sent twice, and
 * a server that stopped answering counts as unavailable until it answers again.
 * Long: its functions share the state of one connection.
 */
export function createRedisConnection(logger: SharedStateLogger, config: RedisConnectionConfig): RedisConnection {
  const { servers, commandMs, name } = config;
  const redis = openRedis(servers, {
    connectionName: name,
    // Commands of one turn of the event loop go out in one write: under load the writes are most of what a command costs. Scripts that come in
    // numbers are gathered before, by `createRedisCounts`.
    autoPipeliningIgnoredCommands: ['evalsha'],
    // A command that waits until Redis is back comes too late, and one that is sent again may count twice.
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    connectTimeout: 2_000,
    // A peer that stopped does not close its side either.
    disconnectTimeout: 200,
    // For what the client asks by itself when it connects; what we ask has a shorter time, kept below, whatever it is.
    commandTimeout: Math.max(2_000, 2 * commandMs),
    retryStrategy: (times) => Math.min(MAX_PAUSE_MS, 50 * 2 ** Math.min(times, 5)) * (0.5 + Math.random() / 2),
  });
  let connected = false;
  let silent = false;
  const listeners = new Set<() => void>();
  let reported: 'ok' | 'down' | undefined;
  let lastError: Error | undefined;

  redis.on('error', (error: Error) => {
    lastError = error;
  });
  redis.on('ready', async () => {
    silent = false;
    // A cluster is ready when it knows its nodes, and reaches them later.
    if (redis instanceof Cluster) await Promise.allSettled(redis.nodes('master').map((node) => node.ping()));
    if (redis.status !== 'ready') return;
    connected = true;
    report('ok');
    for (const listener of listeners) listener();
  });
  redis.on('close', () => {
    connected = false;
    report('down');
  });

  const heartbeat = setInterval(() => {
    if (state() === 'ok') withinTime(ping(redis), fallSilent).catch(() => {});
  }, HEARTBEAT_MS).unref();

  return {
    redis,
    call,
    state,
    onReady: (listener) => void listeners.add(listener),
    async settled(ms) {
      if (connected) return;
      await new Promise<void>((resolve) => {
        const settle = () => {
          clearTimeout(timer);
          listeners.delete(settle);
          resolve();
        };
        const timer = setTimeout(settle, ms);
        listeners.add(settle);
      });
    },
    close() {
      clearInterval(heartbeat);
      redis.removeAllListeners('close');
      redis.disconnect();
    },
  };

  async function call<T>(command: (redis: RedisClient) => Promise<T>): Promise<T> {
    if (state() === 'down') throw new SharedStateUnavailable('Redis is unavailable');
    try {
      return await withinTime(command(redis), onSilence);
    } catch (error) {
      throw plain(error);
    }
  }

  function state(): 'ok' | 'down' {
    return connected && redis.status === 'ready' && !silent ? 'ok' : 'down';
  }

  /**
   * A process that was busy itself must not take it for silence: perhaps the answer has arrived and was not read yet, perhaps the command was
   * not even sent.
   */
  function withinTime<T>(reply: Promise<T>, silence: () => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let turns = 0;
      const wait = () => {
        turns += 1;
        return setTimeout(() => {
          if (turns < TURNS) timer = wait();
          else giveUp();
        }, commandMs / TURNS);
      };
      let timer = wait();
      const giveUp = () => {
        reject(new SharedStateUnavailable('Redis does not answer'));
        if (state() === 'ok') silence();
      };
      reply.then(
        (value) => {
          clearTimeout(timer);
          resolve(value);
        },
        (error: unknown) => {
          clearTimeout(timer);
          reject(error);
        },
      );
    });
  }

  /** A node of a cluster that does not answer says nothing of the others. The heartbeat asks all of them. */
  function onSilence(): void {
    if (!(redis instanceof Cluster)) fallSilent();
  }

  /** Nothing arrives over this connection any more, possibly for good. A new one shows. */
  function fallSilent(): void {
    silent = true;
    report('down');
    redis.disconnect(true);
  }

  function report(now: 'ok' | 'down'): void {
    if (now === reported) return;
    reported = now;
    if (now === 'ok') logger.info({ connection: name }, 'Redis is there');
    else
      logger.warn(
        { connection: name, reason: silent ? 'no answer in time' : lastError?.message },
        'Redis is unavailable',
      );
  }
}

/** Resolves when a server answers; of a cluster one that holds keys. */
function ping(redis: RedisClient): Promise<unknown> {
  return redis instanceof Cluster ? Promise.any(redis.nodes('master').map((node) => node.ping())) : redis.ping();
}

/** Errors of the client carry the command with its arguments: values, keys, a password. They end here. */
function plain(error: unknown): Error {
  if (error instanceof SharedStateUnavailable) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ReplyError && !PASSING.test(message)) return new Error(`Redis refused a command: ${message}`);
  return new SharedStateUnavailable(`Redis is unavailable: ${message}`);
}
