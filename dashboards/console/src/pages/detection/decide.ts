import { type Answer, addressOf, type Body, call, callForHeaders, send } from '../../api/client.ts';
import type { Detection } from './detection-types.ts';

export type DecisionChange = Body<'patch', '/api/detections/{id}'>;

/** The current detection without its evidence, and the version of its decision. */
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

/** Detections per request: their notes can be long. */
const BATCH_SIZE = 40;

/** Changes the decisions of many detections, each only if it is still the one that was seen. Resolves to the outcome of each. */
export async function decideMany(seen: readonly Detection[], change: DecisionChange) {
  const results: Answer<'post', '/api/detections/bulk'>['results'] = [];
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
