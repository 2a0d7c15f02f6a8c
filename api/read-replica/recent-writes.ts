import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { principalOf } from '#api/http/access/caller.ts';
import type { SharedCache } from '#api/shared-state/port.ts';
import { AFTER_WRITE_MS } from './freshness.ts';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Tracks which callers have written recently, across all processes. */
export interface RecentWrites {
  note(principal: string): Promise<void>;
  /** Resolves to undefined while the shared state is unavailable. */
  has(principal: string): Promise<boolean | undefined>;
}

export function createRecentWrites(cache: SharedCache): RecentWrites {
  const keyOf = (principal: string) => `wrote:${principal}`;
  return {
    note: (principal) => cache.set(keyOf(principal), '1', AFTER_WRITE_MS).catch(() => {}), // then `has` is unavailable too
    has: (principal) =>
      cache.get(keyOf(principal)).then(
        (found) => found !== undefined,
        () => undefined,
      ),
  };
}

/** Records the caller of each request that may have changed something, before the response is sent. */
export const noteWrites = fp<{ readonly writes: Pick<RecentWrites, 'note'> }>(
  async (app, { writes }) => {
    app.addHook('onSend', (request, reply, payload, done) => {
      if (reply.statusCode >= 400 || !mayWrite(request)) return done(null, payload);
      writes.note(principalOf(request.caller)).then(() => done(null, payload), done);
    });
  },
  { name: 'note-writes' },
);

/** Returns false for hosts, which write only events. These are not stored in PostgreSQL. */
function mayWrite({ method, caller }: Pick<FastifyRequest, 'method' | 'caller'>): boolean {
  return caller !== undefined && caller.kind !== 'host' && !READS.has(method);
}
