import type { ReadResult, Rejection } from '#schemas/events/accepted.ts';
import { REJECTIONS } from '#schemas/rejection-codes.ts';
import { frameSchemaId } from './decode.ts';
import type { Gate } from './pipeline-lane.ts';

/** The schema registry as the pipeline uses it. */
export interface SchemaIds {
  /** Returns from the cache whether the id is one of our event schemas; undefined if not known yet. */
  isOurs(id: number): boolean | undefined;
  resolve(id: number): Promise<'ours' | 'foreign' | 'unknown' | 'unavailable'>;
}

/** Minimum time before the registry is queried again for an unknown id, or after it was unavailable. */
const QUERY_AGAIN_AFTER_MS = 10_000;
/** Maximum number of unknown ids that are cached. Senders can produce 2^32 different ids. */
const MAX_UNKNOWN = 10_000;
/** Maximum time that the records of one chunk wait for the registry. Ids without a response count as unavailable. */
const REGISTRY_TIMEOUT_MS = 5_000;

/**
 * Delays records in the registry's wire format until their schema id is known. An unavailable registry delays records
 * once, and is then queried in the background. Until it responds, a record is validated by its payload alone, because
 * events contain their version. A payload that is not a valid event becomes a dead letter with the retriable code
 * `registry_unavailable` and the complete record. It can be redriven when the registry is available.
 */
export function createFrameGate(
  schemaIds: SchemaIds | undefined,
  /** Monotonic clock. A clock that is set back would delay the next query. */
  nowMs: () => number = () => performance.now(),
) {
  /** When the registry was queried for each unknown id, oldest first. */
  const unknown = new Map<number, number>();
  let unavailableSince: number | undefined;

  const gate: Gate = {
    prepare(records) {
      if (schemaIds === undefined) return undefined;
      let asked: Set<number> | undefined;
      for (let i = 0; i < records.length; i++) {
        const value = records.value(i);
        const id = value === null ? undefined : frameSchemaId(value);
        if (id === undefined || schemaIds.isOurs(id) !== undefined) continue;
        if (nowMs() - (unknown.get(id) ?? Number.NEGATIVE_INFINITY) < QUERY_AGAIN_AFTER_MS) continue;
        asked ??= new Set();
        asked.add(id);
      }
      if (asked === undefined) return undefined;
      if (unavailableSince === undefined) return resolveAll(asked, schemaIds);
      if (nowMs() - unavailableSince >= QUERY_AGAIN_AFTER_MS) {
        unavailableSince = nowMs();
        void resolveAll(asked, schemaIds);
      }
      return undefined;
    },
  };
  return { ...gate, judge };

  async function resolveAll(ids: ReadonlySet<number>, registry: SchemaIds): Promise<void> {
    const until = nowMs() + REGISTRY_TIMEOUT_MS;
    for (const id of ids) {
      const answer = nowMs() < until ? await registry.resolve(id) : 'unavailable';
      if (answer === 'unavailable') {
        unavailableSince = nowMs();
        return;
      }
      unavailableSince = undefined;
      unknown.delete(id);
      if (answer === 'unknown') remember(id);
    }
  }

  function remember(id: number): void {
    unknown.set(id, nowMs());
    for (const oldest of unknown.keys()) {
      if (unknown.size <= MAX_UNKNOWN) break;
      unknown.delete(oldest);
    }
  }

  function judge(id: number, payload: ReadResult): Rejection | undefined {
    if (schemaIds === undefined) return undefined;
    const ours = schemaIds.isOurs(id);
    if (ours !== undefined) return ours ? undefined : refusal('schema_not_ours', id);
    if (unknown.has(id)) return refusal('schema_unknown', id);
    return payload.ok ? undefined : refusal('registry_unavailable', id);
  }
}

function refusal(code: 'schema_not_ours' | 'schema_unknown' | 'registry_unavailable', id: number): Rejection {
  return { ok: false, code, path: '$', message: `${REJECTIONS[code].message} (schema id ${id})` };
}
