import type { Channels } from '#api/shared-state/port.ts';
import type { FeedMessage } from './messages.ts';

export interface LiveFeed {
  /** Sends a message to all watchers, on any process. Never blocks and never throws. Without watchers it costs nothing. */
  publish(message: FeedMessage): void;
  /** True if any process has a watcher. Without one, no messages about requests have to be created. */
  isWatched(): boolean;
  /** Subscribes to messages of all processes, as JSON texts. Resolves when subscribed; the returned function unsubscribes. */
  watch(listener: (message: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export interface LiveFeedConfig {
  /** Linger time of messages before they are sent to the other processes as a batch, ms. Default 100. */
  readonly lingerMs?: number;
  /** Maximum number of messages in one batch. Of further messages, only the number is sent. Default 500. */
  readonly maxTogether?: number;
  /** Interval in which a process with watchers announces itself, ms. Default 10,000. */
  readonly announceMs?: number;
}

const FEED = 'live-feed';
const WATCHED = 'live-feed.watched';

/**
 * Creates the live feed of all processes. Processes with watchers announce themselves periodically, and the others
 * publish only while they receive announcements. An installation without watchers therefore sends nothing. Messages are
 * sent in batches, one per line. Without the shared state, each process serves only its own watchers.
 */
export async function createLiveFeed(
  { channels }: { readonly channels: Channels },
  config: LiveFeedConfig = {},
): Promise<LiveFeed> {
  const { lingerMs = 100, maxTogether = 500, announceMs = 10_000 } = config;
  const listeners = new Set<(message: string) => void>();
  let watchedUntil = Number.NEGATIVE_INFINITY;
  let outbox: string[] = [];
  let tooMany = 0;
  let timer: NodeJS.Timeout | undefined;
  let announcing: NodeJS.Timeout | undefined;
  let endFeed: Promise<() => Promise<void>> | undefined;

  const endWatched = await channels
    .subscribe(WATCHED, () => {
      watchedUntil = performance.now() + announceMs * 2.5;
    })
    .catch(() => async () => {});

  return {
    isWatched,
    publish(message) {
      if (!isWatched()) return;
      if (outbox.length < maxTogether) outbox.push(JSON.stringify(message));
      else tooMany++;
      timer ??= setTimeout(flush, lingerMs);
    },
    async watch(listener) {
      listeners.add(listener);
      announcing ??= setInterval(announce, announceMs).unref();
      endFeed ??= channels.subscribe(FEED, hear).catch(() => async () => {});
      await endFeed;
      announce();
      return async () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        await leave();
      };
    },
    async close() {
      clearTimeout(timer);
      listeners.clear();
      await leave();
      await endWatched();
    },
  };

  function isWatched(): boolean {
    return listeners.size > 0 || performance.now() < watchedUntil;
  }

  function flush(): void {
    timer = undefined;
    if (tooMany > 0) outbox.push(JSON.stringify(dropped(tooMany)));
    const batch = outbox.join('\n');
    outbox = [];
    tooMany = 0;
    // If Redis is unavailable, readers of this process still receive the message.
    channels.publish(FEED, batch).catch(() => hear(batch));
  }

  function hear(batch: string): void {
    for (const message of batch.split('\n')) for (const listener of listeners) listener(message);
  }

  function announce(): void {
    channels.publish(WATCHED, '').catch(() => {});
  }

  async function leave(): Promise<void> {
    clearInterval(announcing);
    announcing = undefined;
    const end = endFeed;
    endFeed = undefined;
    await (await end)?.();
  }
}

/** Returns a message with the number of dropped messages at this position. */
export function dropped(count: number): FeedMessage {
  return { type: 'dropped', at: new Date().toISOString(), count };
}
