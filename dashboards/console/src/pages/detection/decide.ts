import { type Answer, addressOf, type Body, call, callForHeaders, send } from '../../api/client.ts';
import type { Detection } from './detection-types.ts';

export type DecisionChange = Body<'patch', '/api/detections/{id}'>;

/** A detection as it is now, without its evidence, and the version of what is decided about it. */
export async function currentDecision(id: string, signal?: AbortSignal) {
  const address = addressOf('/api/detections/{id}', { path: { id }, query: { format: 'ndjson' } });
  const response = await send(address, signal ? { signal } : {});
  return { detection: (await response.json()) as Detection, etag: response.headers.get('etag') };
}

/** Decides, if nobody did since `etag` was read; else rejects with a `Failure` of status 412. */
export async function decide(id: string, change: DecisionChange, etag: string | null) {
  const { value, headers } = await callForHeaders('patch', '/api/detections/{id}', {
    path: { id },
    body: change,
    headers: etag === null ? {} : { 'if-match': etag },
  });
  return { detection: value, etag: headers.get('etag') };
}

/** So many go in one request: their notes may be long. */
const AT_ONCE = 40;

/** Decides the same about many, each only if what was seen of it is still so; resolves to what became of each. */
export async function decideMany(seen: readonly Detection[], change: DecisionChange) {
  const results: Answer<'post', '/api/detections/bulk'>['results'] = [];
  for (let at = 0; at < seen.length; at += AT_ONCE) {
    const detections = seen.slice(at, at + AT_ONCE).map(({ id, status, verdict, assignee, note }) => ({
      id,
      seen: { status, verdict, assignee, note },
    }));
    results.push(
      ...(await call('post', '/api/detections/bulk', { body: { detections, change: change ?? {} } })).results,
    );
  }
  return results;
}
