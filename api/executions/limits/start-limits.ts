import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Database, Db } from '#api/postgres/database.ts';
import { accountOf } from '../engine/account.ts';
import { DRY_RUN } from '../engine/dry-run.ts';
import type { EvaluateFor } from '../engine/port.ts';
import { ExpressionError } from '../expressions/expression-error.ts';
import type { JsonValue } from '../json-value.ts';
import { OPERATOR_LANE } from '../store/queue-position.ts';
import { type DeclaredLimits, limitsOf, MAX_PRIORITY } from './declared-limits.ts';

/** Under which keys a start is counted, and what it is merged with. */
export interface StartLimits {
  /** Empty: no limit on executions at a time applies. */
  readonly slotKey: string;
  /** Empty: no throttle applies. */
  readonly rateKey: string;
  readonly priority: number | undefined;
  readonly gather: Gather | undefined;
}

/** Starts with the same `mergeKey` that wait become one execution. */
export interface Gather {
  readonly kind: 'debounce' | 'batch';
  readonly mergeKey: string;
  readonly periodMs: number;
  /** Of a debounce: how long a first start waits at most. */
  readonly maxDelayMs: number;
  /** Of a batch: starts that make it full. */
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
  /** Of a version; a version never changes, so they are read once. */
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

/** The limits on a start; undefined when none applies. Rejects with `ExpressionsBusyError`. */
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
 * Evaluates the keys of a start; undefined when its version declares no limits on starts. A key that fails is the key null, which such starts share: an input
 * that the author did not expect is not lost and does not pass the limit. Rejects with `ExpressionsBusyError`.
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
          // Starts of different owners run with different rights.
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

/** An expression depends on data of callers: it puts starts behind others, never before those of other owners. */
export function priorityOf(value: JsonValue): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 0;
  return Math.max(-MAX_PRIORITY, Math.min(0, Math.trunc(value)));
}

/** A key as it is stored: JSON of its value, or the hash of a long one. */
export function shortKey(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length <= MAX_KEY_CHARACTERS ? text : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
