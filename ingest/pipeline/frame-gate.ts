import type { ReadResult, Rejection } from '#schemas/events/accepted.ts';
import { REJECTIONS } from '#schemas/rejection-codes.ts';
import { frameSchemaId } from './decode.ts';
import type { Gate } from './lane.ts';

/** What the pipeline asks of the schema registry. */
export interface SchemaIds {
  /** Whether the id is one of our event schemas, from what is known by now; `undefined` when not known. */
  isOurs(id: number): boolean | undefined;
  resolve(id: number): Promise<'ours' | 'foreign' | 'unknown' | 'unavailable'>;
}

/** How long an id that could not be resolved is left alone, so that a registry that is away costs one try per while. */
const ASK_AGAIN_MS = 10_000;

/**
 * Records in the registry's wire format wait here until their schema id is known. A registry that is away holds up nobody:
 * events say their version themselves, so the payload is judged alone; one that does not stand alone becomes a dead letter with
 * the retriable code `registry_unavailable`, whole, to be redriven when the registry is back.
 */
export function createFrameGate(schemaIds: SchemaIds | undefined, nowMs: () => number = Date.now) {
  const misses = new Map<number, { readonly answer: 'unknown' | 'unavailable'; readonly at: number }>();

  const gate: Gate = {
    prepare(records) {
      if (schemaIds === undefined) return undefined;
      let asked: Set<number> | undefined;
      for (const { value } of records) {
        const id = value === null ? undefined : frameSchemaId(value);
        if (id === undefined || schemaIds.isOurs(id) !== undefined) continue;
        const miss = misses.get(id);
        if (miss !== undefined && nowMs() - miss.at < ASK_AGAIN_MS) continue;
        asked ??= new Set();
        asked.add(id);
      }
      return asked === undefined ? undefined : resolveAll(asked, schemaIds);
    },
  };
  return { ...gate, judge };

  async function resolveAll(ids: ReadonlySet<number>, registry: SchemaIds): Promise<void> {
    for (const id of ids) {
      const answer = await registry.resolve(id);
      if (answer === 'unavailable' || answer === 'unknown') misses.set(id, { answer, at: nowMs() });
      else misses.delete(id);
    }
  }

  function judge(id: number, payload: ReadResult): Rejection | undefined {
    if (schemaIds === undefined) return undefined;
    const ours = schemaIds.isOurs(id);
    if (ours !== undefined) return ours ? undefined : refusal('schema_not_ours', id);
    if (misses.get(id)?.answer === 'unknown') return refusal('schema_unknown', id);
    return payload.ok ? undefined : refusal('registry_unavailable', id);
  }
}

function refusal(code: 'schema_not_ours' | 'schema_unknown' | 'registry_unavailable', id: number): Rejection {
  return { ok: false, code, path: '$', message: `${REJECTIONS[code].message} (schema id ${id})` };
}
