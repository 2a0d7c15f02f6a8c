import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database, Db } from '#api/postgres/database.ts';
import { accountOf } from '../engine/account.ts';
import { DRY_RUN } from '../engine/run/dry-run.ts';
import type { EvaluateFor } from '../expressions/evaluate.ts';
import { ExpressionError } from '../expressions/expression-error.ts';
import type { JsonValue } from '../json-value.ts';
import { OPERATOR_LANE } from '../store/queue-position.ts';
import { type DeclaredLimits, limitsOf, MAX_PRIORITY } from './declared-limits.ts';

/** The limit keys of a start, and its merge settings. */
export interface StartLimits {
  /** Key of the concurrency limit; empty if there is no such limit. */
  readonly slotKey: string;
  /** Key of the throttle; empty if there is no throttle. */
  readonly rateKey: string;
  readonly priority: number | undefined;
  readonly gather: Gather | undefined;
}

/** Waiting starts with the same `mergeKey` become one execution. */
export interface Gather {
  readonly kind: 'debounce' | 'batch';
  readonly mergeKey: string;
  readonly periodMs: number;
  /** For a debounce: maximum delay of the first start. */
  readonly maxDelayMs: number;
  /** For a batch: number of starts that complete it. */
  readonly max: number;
}

export interface LimitedStart {
  readonly workflowId?: string | null | undefined;
  readonly versionId?: string | null | undefined;
  readonly ownerId: string | null;
  readonly triggerType: string;
  readonly input?: JsonValue | undefined;
}

/** The limits that versions of workflows declare. */
export interface VersionLimits {
  /** Returns the limits of a version. Cached, because versions never change. */
  of(db: Db, versionId: string): Promise<DeclaredLimits>;
}

const MAX_CACHED = 5_000;
const MAX_KEY_CHARACTERS = 200;
const NONE: DeclaredLimits = {};

export function createVersionLimits(): VersionLimits {
  const known = new LRUCache<string, DeclaredLimits>({ max: MAX_CACHED });
  return {
    async of(db, versionId) {
      const cached = known.get(versionId);
      if (cached !== undefined) return cached;
      const { rows } = await sql<{ limits: JsonValue }>`
        SELECT definition #> '{document,metadata,limits}' AS limits FROM workflow_versions WHERE id = ${versionId}`.execute(
        db,
      );
      const declared = rows[0]?.limits;
      const limits = declared == null ? NONE : limitsOf({ document: { metadata: { limits: declared } } });
      known.set(versionId, limits);
      return limits;
    },
  };
}

/** Returns the limits of a start, or undefined if none exists. Rejects with `ExpressionsBusyError`. */
export type FindStartLimits = (start: LimitedStart) => Promise<StartLimits | undefined>;

export function createStartLimits({
  database,
  evaluate,
  versionLimits,
}: {
  readonly database: Database;
  readonly evaluate: EvaluateFor;
  readonly versionLimits: VersionLimits;
}): FindStartLimits {
  return async (start) => {
    const { versionId } = start;
    if (versionId == null) return undefined;
    return evaluateLimits(await versionLimits.of(database, versionId), start, evaluate);
  };
}

/**
 * Evaluates the limit keys of a start. Returns undefined if its version declares no limits. A key expression that fails
 * yields the key null. All such starts share it, so an unexpected input neither fails nor bypasses the limit. Rejects
 * with `ExpressionsBusyError`.
 */
export async function evaluateLimits(
  { concurrency, throttle, debounce, batch, priority }: DeclaredLimits,
  start: LimitedStart,
  evaluate: EvaluateFor,
): Promise<StartLimits | undefined> {
  if (start.triggerType === DRY_RUN) return undefined;
  if ((concurrency ?? throttle ?? debounce ?? batch ?? priority) === undefined) return undefined;
  const input = start.input ?? {};
  const value = async (expression: string): Promise<JsonValue> => {
    try {
      return await evaluate(expression, input, { input }, accountOf(start.ownerId));
    } catch (error) {
      if (error instanceof ExpressionError) return null;
      throw error;
    }
  };
  const keyOf = async (limit: { readonly key?: string } | undefined): Promise<string> => {
    if (limit === undefined) return '';
    return limit.key === undefined ? 'all' : shortKey(await value(limit.key));
  };
  const gathered = debounce ?? batch;
  const gather =
    gathered === undefined
      ? undefined
      : {
          kind: debounce === undefined ? ('batch' as const) : ('debounce' as const),
          // Starts of different owners are not merged, because they run with different rights.
          mergeKey: `${start.workflowId}:${start.ownerId ?? OPERATOR_LANE}:${await keyOf(gathered)}`,
          periodMs: gathered.periodMs,
          maxDelayMs: debounce?.maxDelayMs ?? 0,
          max: batch?.max ?? 0,
        };
  return {
    slotKey: await keyOf(concurrency),
    rateKey: await keyOf(throttle),
    priority: typeof priority === 'string' ? priorityOf(await value(priority)) : priority,
    gather,
  };
}

/**
 * Converts the value of a priority expression. It depends on input of callers, so it can lower the priority of a start
 * but never raise it above starts of other owners.
 */
export function priorityOf(value: JsonValue): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 0;
  return Math.max(-MAX_PRIORITY, Math.min(0, Math.trunc(value)));
}

/** Returns a key in its stored form: the JSON of its value, or a hash if that is long. */
export function shortKey(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length <= MAX_KEY_CHARACTERS ? text : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
