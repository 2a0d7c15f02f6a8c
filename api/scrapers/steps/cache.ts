import { createExpiringMap } from '../../shared-state/expiring-map.ts';
import { type SharedState, SharedStateUnavailable } from '../../shared-state/port.ts';
import type { Answer } from '../answer.ts';
import type { Scraper } from '../scraper.ts';

/** An answer as it is kept. */
export interface KeptAnswer {
  readonly answer: Answer;
  /** ms since 1970. Until then it is served without asking again; after that only when upstream fails. */
  readonly freshUntil: number;
}

export interface AnswerCache {
  /** The fresh answer in the memory of this process, without a promise; undefined: `get` may have one. */
  near(key: string): KeptAnswer | undefined;
  get(key: string): Promise<KeptAnswer | undefined>;
  put(key: string, answer: Answer, cacheSeconds: number): Promise<void>;
}

export interface AnswerCacheDeps {
  readonly shared: SharedState;
  /** ms since 1970. */
  readonly now: () => number;
}

/** An answer outlives its freshness by this much, for the times upstream fails. */
const STALE_MS = 6 * 3_600_000;
/** That there is nothing is remembered for a shorter time: things come into being. */
const MAX_NEGATIVE_SECONDS = 60;
const LOCAL_BYTES = 16 * 2 ** 20;
const ENTRY_BYTES = 200;
/** Goes up when what is kept changes its form. */
const FORM = 1;

/**
 * Steps 4 and 8. Answers are kept in the shared state, so that a process finds what another has fetched, and in the process: nothing
 * changes an answer before it ends, so what the process has is what the others have, and while Redis is unavailable it continues with that.
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

  /** Where the shared state is this process's memory it is there already. */
  function keepLocally(key: string, { answer, freshUntil }: KeptAnswer, endsAt: number): void {
    if (shared.state() === 'embedded') return;
    const characters = key.length + (answer.kind === 'found' ? answer.body.length : 0);
    local.set(key, { answer, freshUntil }, endsAt, 2 * characters + ENTRY_BYTES);
  }
}

/** Names a question: the query as the schema read it, which has its parameters in the order of the schema. */
export function cacheKey({ id }: Pick<Scraper, 'id'>, query: object): string {
  return `scraper:${FORM}:${id}:${JSON.stringify(query)}`;
}

/** One line of what is to be known about it, then the body as it is sent: it is neither parsed nor written again. */
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
