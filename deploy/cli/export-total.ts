import type { RecordKind } from '#analytics/formats/record.ts';
import type { ServerConnection } from './server-connection.ts';

/** Maximum range that the API counts. */
const COUNTED_DAYS = 365;
/** Count routes of the API by kind. Dead letters have none. */
const COUNTS = { events: 'events', detections: 'detections' } as const;

/** The server is asked for a count only if an export takes longer than this. */
const LONG_MS = 2_000;

/**
 * Returns a function that returns the total of an export if it is known. The server counts only for a long export, and
 * the export does not wait for it.
 */
export function exportTotalWhenLong(...of: Parameters<typeof exportTotal>): () => number | undefined {
  const startedAt = performance.now();
  let asked = false;
  let total: number | undefined;
  return () => {
    if (total === undefined && !asked && performance.now() - startedAt > LONG_MS) {
      asked = true;
      void exportTotal(...of).then((counted) => {
        total = counted;
      });
    }
    return total;
  };
}

/**
 * Returns the expected number of records of an export: the server's count for the same filters, at most `limit`.
 * Without a start time, counts the last year. Undefined if the server cannot count and there is no limit; the export
 * works without it.
 */
async function exportTotal(
  server: ServerConnection,
  kind: RecordKind,
  parameters: URLSearchParams,
  limit: number | undefined,
): Promise<number | undefined> {
  return atMost(limit, await countOf(server, kind, parameters));
}

/** Returns the smaller number, or the only defined one. */
export function atMost(limit: number | undefined, counted: number | undefined): number | undefined {
  return limit === undefined || counted === undefined ? (limit ?? counted) : Math.min(limit, counted);
}

async function countOf(
  server: ServerConnection,
  kind: RecordKind,
  parameters: URLSearchParams,
): Promise<number | undefined> {
  if (kind === 'dead-letters') return undefined;
  const query = new URLSearchParams(parameters);
  // The page size of the export is not a filter.
  query.delete('limit');
  if (!query.has('from')) query.set('from', new Date(Date.now() - COUNTED_DAYS * 86_400_000).toISOString());
  try {
    const response = await server.fetch(`/api/${kind}/summary?${query}`);
    if (!response.ok) return undefined;
    const counts = (await response.json()) as Readonly<Record<string, unknown>>;
    return Number(counts[COUNTS[kind]]) || undefined;
  } catch {
    return undefined;
  }
}
