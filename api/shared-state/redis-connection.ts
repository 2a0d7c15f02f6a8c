import { Cluster, ReplyError } from './ioredis.ts';
import { type SharedStateLogger, SharedStateUnavailable } from './port.ts';
import { openRedis, type RedisClient, type RedisServers } from './redis-servers.ts';

export interface RedisConnection {
  readonly redis: RedisClient;
  /**
   * Runs a command. Rejects with `SharedStateUnavailable`: immediately while Redis is unavailable, otherwise after the
   * command timeout.
   */
  call<T>(command: (redis: RedisClient) => Promise<T>): Promise<T>;
  state(): 'ok' | 'down';
  /** Calls the listener after each connect. */
  onReady(listener: () => void): void;
  /** Resolves when it is connected, or after `ms`. */
  settled(ms: number): Promise<void>;
  close(): void;
}

export interface RedisConnectionConfig {
  readonly servers: RedisServers;
  /** Command timeout in ms. */
  readonly commandMs: number;
  readonly name: string;
}

/**
 * Errors of a server that is temporarily unable to serve: it starts, fails over, lacks memory, or waits for its disk or
 * a script.
 */
const PASSING = /^(?:LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|OOM|MISCONF|NOREPLICAS|BUSY|NOAUTH|NOPERM)\b/;
const MAX_PAUSE_MS = 1_000;
/**
 * Number of steps in which the timeout of a command is waited for. A busy process loses only one of them, however long
 * it was busy.
 */
const TURNS = 5;
/** Interval of the heartbeat. Without it, an idle or listening connection would not notice that it is dead. */
const HEARTBEAT_MS = 2_000;

/**
 * A connection that reconnects automatically and never blocks. No command is queued while it is down, and none is sent
 * twice. A server that stops responding counts as unavailable until it responds again. Long: its functions share the
 * state of one connection.
 */
export function createRedisConnection(logger: SharedStateLogger, config: RedisConnectionConfig): RedisConnection {
  const { servers, commandMs, name } = config;
  const redis = openRedis(servers, {
    connectionName: name,
    // Commands of one iteration of the event loop are sent in one write, because under load, writes are most of the
    // cost of a command. Frequent scripts are batched earlier, by `createRedisCounts`.
    autoPipeliningIgnoredCommands: ['evalsha'],
    // A command delayed until Redis is available comes too late, and a repeated one may count twice.
    autoResendUnfulfilledCommands: false,
    autoResubscribe: false,
    // Commands without a reply are rejected when their connection closes. By default they wait for up to 20 reconnects,
    // and until then no other pipeline is sent.
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    // An unresponsive peer does not close its side either.
    disconnectTimeout: 200,
    // For commands that the client sends itself on connect. Our commands have a shorter timeout, see below.
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
    // A cluster is ready when it knows its nodes, but connects to them later.
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
   * Rejects if a reply does not arrive in time. A busy process must not mistake its own delay for silence: the reply
   * may be received but not read, or the command may not be sent yet.
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
        reject(new SharedStateUnavailable('Redis does not respond'));
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

  /** One silent node of a cluster does not make the others unavailable. The heartbeat checks all nodes. */
  function onSilence(): void {
    if (!(redis instanceof Cluster)) fallSilent();
  }

  /** Treats the connection as dead and opens a new one. */
  function fallSilent(): void {
    silent = true;
    report('down');
    redis.disconnect(true);
  }

  function report(now: 'ok' | 'down'): void {
    if (now === reported) return;
    reported = now;
    if (now === 'ok') logger.info({ connection: name }, 'Redis connected');
    else
      logger.warn(
        { connection: name, reason: silent ? 'no response in time' : lastError?.message },
        'Redis is unavailable',
      );
  }
}

/** Resolves when a server responds; for a cluster, one that holds keys. */
function ping(redis: RedisClient): Promise<unknown> {
  return redis instanceof Cluster ? Promise.any(redis.nodes('master').map((node) => node.ping())) : redis.ping();
}

/** Removes the command from an error. Errors of the client contain its arguments: values, keys, a password. */
function plain(error: unknown): Error {
  if (error instanceof SharedStateUnavailable) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ReplyError && !PASSING.test(message)) return new Error(`Redis rejected a command: ${message}`);
  return new SharedStateUnavailable(`Redis is unavailable: ${message}`);
}
