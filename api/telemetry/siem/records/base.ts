import { isIP } from 'node:net';
import { group } from '#analytics/formats/ecs-base.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';

/** What a record is about, as its first member says. */
export type RecordType = 'audit' | 'apilog' | 'security';

/** `source`, `user_agent`, `http.request` and `related` of who asked; what is not known is left out. */
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

/** `<id>` of `user:<id>`; undefined for every other actor or target. */
export function userIdOf(subject: string): string | undefined {
  return subject.startsWith('user:') ? subject.slice('user:'.length) : undefined;
}
