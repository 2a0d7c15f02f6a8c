import type { ReadResult, Rejection } from '#schemas/events/accepted.ts';
import { REJECTIONS } from '#schemas/rejection-codes.ts';
import { frameSchemaId } from './decode.ts';
import type { Gate } from './pipeline-lane.ts';

/** What the pipeline asks of the schema registry. */
export interface SchemaIds {
  /** Whether the id is one of our event schemas, from what is known by now; `undefined` when not known. */
  isOurs(id: number): boolean | undefined;
  resolve(id: number): Promise<'ours' | 'foreign' | 'unknown' | 'unavailable'>;
}

/** How long an id that the registry did not have, or an unavailable registry, is not asked again. */
const ASK_AGAIN_MS = 10_000;
/** Ids the registry did not have that are remembered; senders can make up four thousand million. */
const MAX_UNKNOWN = 10_000;
/** How long the records of one chunk wait for the registry in total. Ids without a response by then count as unavailable. */
const PATIENCE_MS = 5_000;

/**
 * Records in the registry's wire format wait here until their schema id is known. An unavailable registry delays records once; after that it is asked in the
 * background. Until it answers, a record is judged by its payload alone, because events name their version. A payload that is no event by itself
 * becomes a dead letter with the retriable code `registry_unavailable`, whole, to be redriven when the registry is available.
 */
export function createFrameGate(
  schemaIds: SchemaIds | undefined,
  /** A clock that is never set back: otherwise the registry would not be asked again for as long. */
  nowMs: () => number = () => performance.now(),
) {
  /** When the registry was asked for an id it did not have. In the order of asking. */
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
        if (nowMs() - (unknown.get(id) ?? Number.NEGATIVE_INFINITY) < ASK_AGAIN_MS) continue;
        asked ??= new Set();
        asked.add(id);
      }
      if (asked === undefined) return undefined;
      if (unavailableSince === undefined) return resolveAll(asked, schemaIds);
      if (nowMs() - unavailableSince >= ASK_AGAIN_MS) {
        unavailableSince = nowMs();
        void resolveAll(asked, schemaIds);
      }
      return undefined;
    },
  };
  return { ...gate, judge };

  async function resolveAll(ids: ReadonlySet<number>, registry: SchemaIds): Promise<void> {
    const until = nowMs() + PATIENCE_MS;
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
