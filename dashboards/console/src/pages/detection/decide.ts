import { type Answer, addressOf, type Body, call, callForHeaders, send } from '../../api/client.ts';
import type { Detection } from './detection-types.ts';

export type DecisionChange = Body<'patch', '/api/detections/{id}'>;
/** The decision about a detection, as the list showed it. */
export type SeenDecision = Pick<Detection, 'id' | 'status' | 'verdict' | 'assignee' | 'note'>;
export type ChangeResult = Answer<'post', '/api/detections/bulk'>['results'][number];
/** Filters of the list, as search parameters. */
export type BulkFilter = NonNullable<NonNullable<Body<'post', '/api/detections/bulk'>>['filter']>;

/** Fetches the current detection without its evidence, and the version of its decision. */
export async function currentDecision(id: string, signal?: AbortSignal) {
  const address = addressOf('/api/detections/{id}', { path: { id }, query: { format: 'ndjson' } });
  const response = await send(address, signal ? { signal } : {});
  return { detection: (await response.json()) as Detection, etag: response.headers.get('etag') };
}

/** Changes the decision. Rejects with a `Failure` of status 412 if it was changed since `etag` was read. */
export async function decide(id: string, change: DecisionChange, etag: string | null) {
  const { value, headers } = await callForHeaders('patch', '/api/detections/{id}', {
    path: { id },
    body: change,
    headers: etag === null ? {} : { 'if-match': etag },
  });
  return { detection: value, etag: headers.get('etag') };
}

/** Detections per request. Limited because their notes can be long. */
const BATCH_SIZE = 40;
/** Detections per request with a filter: a request takes a second or two. */
const PAGE_SIZE = 200;
const UNDO_SIZE = 1_000;

/**
 * Changes the decisions of many detections, each only if it has not changed since it was shown. Resolves with the
 * outcome of each.
 */
export async function decideMany(seen: readonly SeenDecision[], change: DecisionChange) {
  const results: ChangeResult[] = [];
  for (let at = 0; at < seen.length; at += BATCH_SIZE) {
    const detections = seen.slice(at, at + BATCH_SIZE).map(({ id, status, verdict, assignee, note }) => ({
      id,
      seen: { status, verdict, assignee, note },
    }));
    results.push(
      ...(await call('post', '/api/detections/bulk', { body: { detections, change: change ?? {} } })).results,
    );
  }
  return results;
}

/**
 * Changes the decisions of all detections that matched the filters at `asOf`. Calls `onProgress` with the number of
 * processed detections.
 */
export async function decideAll(
  { filter, asOf }: { readonly filter: BulkFilter; readonly asOf: string },
  change: DecisionChange,
  onProgress: (handled: number) => void,
) {
  const results: ChangeResult[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const body = { filter, asOf, change: change ?? {}, limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) };
    const page = await call('post', '/api/detections/bulk', { body });
    results.push(...page.results);
    onProgress(results.length);
    cursor = page.nextCursor;
  }
  return results;
}

/** Restores the decisions that these changes replaced, each only if no other change was made since. */
export async function undoChanges(changes: readonly { readonly id: string; readonly etag: string | null }[]) {
  const results: ChangeResult[] = [];
  const made = changes.flatMap(({ id, etag }) => (etag === null ? [] : [{ id, etag }]));
  for (let at = 0; at < made.length; at += UNDO_SIZE) {
    const detections = made.slice(at, at + UNDO_SIZE);
    results.push(...(await call('post', '/api/detections/undo', { body: { detections } })).results);
  }
  return results;
}
