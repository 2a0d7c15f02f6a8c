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
  /** Room for one more. */
  hasRoom(): boolean;
  /** Feeds a socket for as long as `mayWatch` holds. `mayWatch` may reject while a store is unavailable. */
  add(socket: WebSocket, caller: SessionCaller, mayWatch: () => Promise<boolean>): void;
  /** Ends all connections; resolves when they are gone. */
  close(): Promise<void>;
}

export interface FeedSocketsDeps {
  readonly feed: LiveFeed;
  readonly channels: Channels;
  readonly registry: Registry;
  /** Source of messages that every process finds itself, while there is a watcher. */
  readonly alsoWatch?: (send: (message: FeedMessage) => void) => { stop(): Promise<void> };
}

export interface FeedSocketsConfig {
  /** Of this process. Default 100. */
  readonly maxSockets?: number;
  /** That may wait to be sent to one reader. Default 1 MiB. */
  readonly maxWaitingBytes?: number;
  /** Default 30 s: a dead peer is gone after a minute at most. */
  readonly heartbeatMs?: number;
  /** How often the right to watch is checked, even without a notification. Default 5 s. */
  readonly recheckMs?: number;
  /** How long a reader stays while the right can't be looked up. Default 30 s. */
  readonly patienceMs?: number;
}

/** Notifications of ended sessions and changed roles, with the id of the session or user somewhere in the message. */
const CHANNELS_OF_CHANGES = ['sessions.ended', 'roles.changed'] as const;

/** Codes of RFC 6455, section 7.4.1 and its registry. */
const GOING_AWAY = 1001;
const POLICY_VIOLATION = 1008;
const TRY_AGAIN_LATER = 1013;

interface Reader {
  readonly socket: WebSocket;
  readonly peer: FeedPeer;
  readonly caller: SessionCaller;
  readonly right: () => Promise<Right>;
}

/** The sockets of this process. Timers run while there are any. */
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
    help: 'Administrators who watch the live feed by this process.',
    registers,
    collect() {
      this.set(readers.size);
    },
  });
  const drops = new Counter({
    name: 'trapline_live_feed_dropped_total',
    help: 'Messages that readers were too slow for.',
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

  /** For the first reader; ended with the last. */
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
      // One that could not be subscribed has nothing to end.
      for (const end of ends) end.then((unsubscribe) => unsubscribe()).catch(() => {});
    };
  }

  function each(visit: (reader: Reader) => void): void {
    for (const reader of readers) visit(reader);
  }

  async function recheck({ peer, right }: Reader): Promise<void> {
    const now = await right();
    if (now === 'lost') peer.end(POLICY_VIOLATION, 'the session has ended or lost its role');
    if (now === 'unknown') peer.end(TRY_AGAIN_LATER, 'the session can not be looked up');
  }
}
