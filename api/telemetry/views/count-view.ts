import { createHmac } from 'node:crypto';
import { addressGroup } from '#api/http/limits/address-group.ts';
import type { Database } from '#api/postgres/database.ts';
import { createMemorySharedState } from '#api/shared-state/memory.ts';
import { type SharedState, SharedStateUnavailable } from '#api/shared-state/port.ts';
import { countPageView, readPageViews } from './page-views.ts';

/** Resolves to the number of views of the page, whether this view was counted or not. */
export type CountView = (slug: string, ip: string) => Promise<number>;

export interface CountViewDeps {
  readonly database: Database;
  readonly shared: SharedState;
}

export interface CountViewConfig {
  /**
   * Shared by all processes. Addresses are hashed with it, so that keys of the shared state do not reveal which client
   * visited which page.
   */
  readonly secret: string;
  /** Time in which further views of an address are not counted. Default 5 minutes. */
  readonly debounceMs?: number;
}

const FIVE_MINUTES_MS = 5 * 60_000;
/** Memory that replaces the shared state when it is unavailable: some 20,000 views. */
const FALLBACK_BYTES = 4 * 2 ** 20;

/**
 * Counts page views, at most one per address and page in five minutes. While the shared state is unavailable, each
 * process keeps its own memory: a view may then count once per process, and none is lost.
 */
export function createCountView({ database, shared }: CountViewDeps, config: CountViewConfig): CountView {
  const { secret, debounceMs = FIVE_MINUTES_MS } = config;
  const own = createMemorySharedState({ keys: 1, cacheBytes: FALLBACK_BYTES });

  async function isFirst(key: string): Promise<boolean> {
    try {
      return await shared.cache.setIfAbsent(key, '1', debounceMs);
    } catch (error) {
      if (!(error instanceof SharedStateUnavailable)) throw error;
      return own.cache.setIfAbsent(key, '1', debounceMs);
    }
  }

  return async (slug, ip) => {
    // Neither an address nor a slug contains NUL, so each pair has a unique text.
    const pair = createHmac('sha256', secret)
      .update(`page-view\0${addressGroup(ip)}\0${slug}`)
      .digest('base64url');
    const key = `page-view:${pair}`;
    if (!(await isFirst(key))) return readPageViews(database, slug);
    try {
      return await countPageView(database, slug);
    } catch (error) {
      // The view was not counted, so the next one must be. If the deletion also fails, a view is lost, which has no
      // other effect.
      await Promise.allSettled([shared.cache.delete(key), own.cache.delete(key)]);
      throw error;
    }
  };
}
