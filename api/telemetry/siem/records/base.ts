import { isIP } from 'node:net';
import { group } from '#analytics/formats/ecs-base.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';

/** The subject of a record, in its first member. */
export type RecordType = 'audit' | 'apilog' | 'security';

/** Returns `source`, `user_agent`, `http.request` and `related` of the caller. Unknown values are omitted. */
export function ecsOrigin(origin: RequestOrigin, related: { readonly user?: readonly string[] } = {}): object {
  const ip = isIP(origin.ip) === 0 ? undefined : origin.ip;
  return {
    ...group('source', { ip, address: origin.ip === '' ? undefined : origin.ip }),
    ...group('user_agent', { original: origin.userAgent === '' ? undefined : origin.userAgent }),
    ...group('related', {
      ip: ip === undefined ? undefined : [ip],
      user: related.user === undefined || related.user.length === 0 ? undefined : related.user,
    }),
  };
}

/** Returns `<id>` of `user:<id>`. Undefined for any other actor or target. */
export function userIdOf(subject: string): string | undefined {
  return subject.startsWith('user:') ? subject.slice('user:'.length) : undefined;
}
