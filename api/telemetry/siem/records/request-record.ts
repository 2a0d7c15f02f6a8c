import { ecsBase, group, present } from '#analytics/formats/ecs-base.ts';
import type { RequestRecord } from '#api/http/request-record.ts';
import { ecsOrigin } from './base.ts';

/** Returns the ECS document of a request to the API. */
export function requestEcsRecord(r: RequestRecord): object {
  const failed = r.status >= 500;
  return {
    _type: 'apilog',
    ...ecsBase(new Date(r.timeMs).toISOString()),
    message: `${r.method} ${r.route} ${r.status}`,
    event: {
      kind: 'event',
      category: ['web'],
      type: failed ? ['access', 'error'] : ['access'],
      action: 'api-request',
      outcome: r.status >= 400 ? 'failure' : 'success',
      module: 'trapline',
      dataset: 'trapline.apilog',
      duration: Math.max(0, Math.round(r.durationMs * 1e6)), // nanoseconds
    },
    http: {
      request: { id: r.requestId, method: r.method },
      response: { status_code: r.status, bytes: r.bytes },
    },
    url: { path: r.path },
    ...ecsOrigin(r, { user: r.userId === null ? [] : [r.userId] }),
    ...group('user', { id: r.userId }),
    trapline: {
      api: present({ route: r.route, actor: r.actor, key_id: r.keyId, scraper: r.scraper, cache: r.cache }),
    },
  };
}
