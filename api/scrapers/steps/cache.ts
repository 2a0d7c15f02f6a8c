import { createExpiringMap } from '#api/shared-state/expiring-map.ts';
import { type SharedState, SharedStateUnavailable } from '#api/shared-state/port.ts';
import type { Answer } from '../answer.ts';
import type { Scraper } from '../scraper.ts';

/** A cached answer. */
export interface KeptAnswer {
  readonly answer: Answer;
  /** Epoch milliseconds. Until then the answer is served from the cache; afterwards only if upstream fails. */
  readonly freshUntil: number;
}

export interface AnswerCache {
  /** Returns the fresh answer in the memory of this process, without a promise. If it returns undefined, use `get`. */
  near(key: string): KeptAnswer | undefined;
  get(key: string): Promise<KeptAnswer | undefined>;
  put(key: string, answer: Answer, cacheSeconds: number): Promise<void>;
}

export interface AnswerCacheDeps {
  readonly shared: SharedState;
  /** Clock in epoch milliseconds. */
  readonly now: () => number;
}

/** How long an expired answer is kept for the case that upstream fails. */
const STALE_MS = 6 * 3_600_000;
/** Maximum time for which `not_found` is cached. It is shorter, because the object can be created at any time. */
const MAX_NEGATIVE_SECONDS = 60;
const LOCAL_BYTES = 16 * 2 ** 20;
const ENTRY_BYTES = 200;
/** Version of the cache format; increased with every change. */
const FORM = 1;

/**
 * Steps 4 and 8. Answers are cached in the shared state, so that processes share them, and in the memory of each
 * process. A cached answer never changes before it expires, so both copies are equal. While Redis is unavailable, the
 * copy in memory is used.
 */
export function createAnswerCache({ shared, now }: AnswerCacheDeps): AnswerCache {
  const local = createExpiringMap<KeptAnswer>({ capacity: LOCAL_BYTES, now });

  function nearOf(key: string): KeptAnswer | undefined {
    const kept = local.get(key);
    return kept !== undefined && kept.freshUntil > now() ? kept : undefined;
  }

  return {
    near: nearOf,
    async get(key) {
      const fresh = nearOf(key);
      if (fresh !== undefined) return fresh;
      const near = local.get(key);
      const text = await ignoreUnavailable(shared.cache.get(key));
      const far = text === undefined ? undefined : decode(text);
      if (far === undefined || far.endsAt <= now()) return near;
      keepLocally(key, far, far.endsAt);
      return far;
    },
    async put(key, answer, cacheSeconds) {
      const found = answer.kind === 'found';
      const freshMs = 1000 * (found ? cacheSeconds : Math.min(cacheSeconds, MAX_NEGATIVE_SECONDS));
      const freshUntil = now() + freshMs;
      const endsAt = freshUntil + (found ? STALE_MS : 0);
      keepLocally(key, { answer, freshUntil }, endsAt);
      await ignoreUnavailable(shared.cache.set(key, encode(answer, freshUntil, endsAt), endsAt - now()));
    },
  };

  /** If the shared state is in this process's memory, a second copy is not needed. */
  function keepLocally(key: string, { answer, freshUntil }: KeptAnswer, endsAt: number): void {
    if (shared.state() === 'embedded') return;
    const characters = key.length + (answer.kind === 'found' ? answer.body.length : 0);
    local.set(key, { answer, freshUntil }, endsAt, 2 * characters + ENTRY_BYTES);
  }
}

/** Returns the cache key of a call: the parsed query, whose parameters are in the order of the schema. */
export function cacheKey({ id }: Pick<Scraper, 'id'>, query: object): string {
  return `scraper:${FORM}:${id}:${JSON.stringify(query)}`;
}

/** Encodes an answer as one line of metadata followed by the response body, which is neither parsed nor serialised again. */
function encode(answer: Answer, freshUntil: number, endsAt: number): string {
  return `${freshUntil} ${endsAt} ${answer.kind}\n${answer.kind === 'found' ? answer.body : ''}`;
}

function decode(text: string): (KeptAnswer & { endsAt: number }) | undefined {
  const { freshUntil, endsAt, kind } =
    /^(?<freshUntil>\d+) (?<endsAt>\d+) (?<kind>found|not_found)\n/.exec(text)?.groups ?? {};
  if (kind === undefined) return undefined;
  const answer: Answer = kind === 'found' ? { kind, body: text.slice(text.indexOf('\n') + 1) } : { kind: 'not_found' };
  return { answer, freshUntil: Number(freshUntil), endsAt: Number(endsAt) };
}

async function ignoreUnavailable<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof SharedStateUnavailable) return undefined;
    throw error;
  }
}
