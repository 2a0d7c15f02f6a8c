import type { Channels } from '#api/shared-state/port.ts';
import type { FeedMessage } from './messages.ts';

export interface LiveFeed {
  /** Sends a message to all watchers, on any process. Returns at once and never throws; without watchers it costs nothing. */
  publish(message: FeedMessage): void;
  /** Whether there is a watcher, on any process: without one, no message of a request has to be made. */
  isWatched(): boolean;
  /** Hears messages of all processes, as JSON texts. Resolves when it hears; the function ends it. */
  watch(listener: (message: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export interface LiveFeedConfig {
  /** How long messages wait to cross to the other processes together, ms. Default 100. */
  readonly lingerMs?: number;
  /** Maximum messages in one batch; beyond it only their number is sent. Default 500. */
  readonly maxTogether?: number;
  /** How often a process that watches says so, ms. Default 10,000. */
  readonly announceMs?: number;
}

const FEED = 'live-feed';
const WATCHED = 'live-feed.watched';

/**
 * The live feed over all processes. Who watches says so again and again, and the others publish only while they hear it: an installation
 * without watchers sends nothing. Messages travel in batches, one a line; without the shared state each process feeds its own watchers.
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
    // Redis is unavailable: readers of this process still receive the message.
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

/** Reports how many messages are missing at this position. */
export function dropped(count: number): FeedMessage {
  return { type: 'dropped', at: new Date().toISOString(), count };
}
