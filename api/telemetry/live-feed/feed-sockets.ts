import { once } from 'node:events';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { WebSocket } from 'ws';
import type { SessionCaller } from '#api/http/access/caller.ts';
import { createRightCheck, PATIENCE_MS, RECHECK_MS, type Right } from '#api/http/right-check.ts';
import type { Channels } from '#api/shared-state/port.ts';
import { createFeedPeer, type FeedPeer } from './feed-peer.ts';
import type { LiveFeed } from './live-feed.ts';
import type { FeedMessage } from './messages.ts';

export interface FeedSockets {
  /** True if another socket may be added. */
  hasRoom(): boolean;
  /** Sends the feed to a socket as long as `mayWatch` resolves to true. `mayWatch` may reject while a store is unavailable. */
  add(socket: WebSocket, caller: SessionCaller, mayWatch: () => Promise<boolean>): void;
  /** Closes all connections. Resolves when they are closed. */
  close(): Promise<void>;
}

export interface FeedSocketsDeps {
  readonly feed: LiveFeed;
  readonly channels: Channels;
  readonly registry: Registry;
  /** Source of messages that every process polls itself, while there is a watcher. */
  readonly alsoWatch?: (send: (message: FeedMessage) => void) => { stop(): Promise<void> };
}

export interface FeedSocketsConfig {
  /** Maximum number of sockets per process. Default 100. */
  readonly maxSockets?: number;
  /** Maximum number of unsent bytes per reader. Default 1 MiB. */
  readonly maxWaitingBytes?: number;
  /** Ping interval. Default 30 s: a dead peer is disconnected after a minute at most. */
  readonly heartbeatMs?: number;
  /** Interval of permission checks, in addition to notifications. Default 5 s. */
  readonly recheckMs?: number;
  /** How long a reader stays connected while its permission cannot be checked. Default 30 s. */
  readonly patienceMs?: number;
}

/** Notifications of ended sessions and changed roles. The message contains the id of the session or user. */
const CHANNELS_OF_CHANGES = ['sessions.ended', 'roles.changed'] as const;

/** Close codes of RFC 6455, section 7.4.1 and its registry. */
const GOING_AWAY = 1001;
const POLICY_VIOLATION = 1008;
const TRY_AGAIN_LATER = 1013;

interface Reader {
  readonly socket: WebSocket;
  readonly peer: FeedPeer;
  readonly caller: SessionCaller;
  readonly right: () => Promise<Right>;
}

/** Manages the sockets of this process. Timers run only while there are sockets. */
export function createFeedSockets(
  { feed, channels, registry, alsoWatch }: FeedSocketsDeps,
  config: FeedSocketsConfig = {},
): FeedSockets {
  const {
    maxSockets = 100,
    maxWaitingBytes = 2 ** 20,
    heartbeatMs = 30_000,
    recheckMs = RECHECK_MS,
    patienceMs = PATIENCE_MS,
  } = config;
  const readers = new Set<Reader>();
  const registers = [registry];
  new Gauge({
    name: 'trapline_live_feed_sockets',
    help: 'Live feed connections of administrators to this process.',
    registers,
    collect() {
      this.set(readers.size);
    },
  });
  const drops = new Counter({
    name: 'trapline_live_feed_dropped_total',
    help: 'Messages that were dropped because a reader was too slow.',
    registers,
  });
  let stop: (() => void) | undefined;
  let closed = false;

  return {
    hasRoom: () => !closed && readers.size < maxSockets,
    add(socket, caller, mayWatch) {
      const peer = createFeedPeer(socket, { maxWaitingBytes, onDrop: (messages) => drops.inc(messages) });
      const reader: Reader = { socket, peer, caller, right: createRightCheck(mayWatch, { patienceMs }) };
      if (closed) {
        peer.end(GOING_AWAY, 'the server is shutting down');
        return;
      }
      readers.add(reader);
      stop ??= start();
      socket.once('close', () => {
        readers.delete(reader);
        if (readers.size > 0) return;
        stop?.();
        stop = undefined;
      });
    },
    async close() {
      closed = true;
      await Promise.all(
        [...readers].map(async ({ socket, peer }) => {
          const gone = once(socket, 'close');
          peer.end(GOING_AWAY, 'the server is shutting down');
          await gone;
        }),
      );
    },
  };

  /** Starts the timers for the first reader. The returned function stops them after the last. */
  function start(): () => void {
    const beating = setInterval(() => each(({ peer }) => peer.beat()), heartbeatMs).unref();
    const checking = setInterval(() => each((reader) => void recheck(reader)), recheckMs).unref();
    const own = alsoWatch?.((message) => {
      const text = JSON.stringify(message);
      each(({ peer }) => peer.send(text));
    });
    const ends = [
      feed.watch((message) => each(({ peer }) => peer.send(message))),
      ...CHANNELS_OF_CHANGES.map((channel) =>
        channels.subscribe(channel, (message) =>
          each((reader) => {
            const { sessionId, userId } = reader.caller;
            if (message.includes(sessionId) || message.includes(userId)) void recheck(reader);
          }),
        ),
      ),
    ];
    return () => {
      clearInterval(beating);
      clearInterval(checking);
      void own?.stop();
      // A failed subscription needs no cancellation.
      for (const end of ends) end.then((unsubscribe) => unsubscribe()).catch(() => {});
    };
  }

  function each(visit: (reader: Reader) => void): void {
    for (const reader of readers) visit(reader);
  }

  async function recheck({ peer, right }: Reader): Promise<void> {
    const now = await right();
    if (now === 'lost') peer.end(POLICY_VIOLATION, 'the session has ended or lost its role');
    if (now === 'unknown') peer.end(TRY_AGAIN_LATER, 'the session cannot be checked now: connect again');
  }
}
