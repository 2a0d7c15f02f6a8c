import type { FastifyReply } from 'fastify';
import { PENDING_SIGN_IN_SECONDS } from '../../oauth/pending-sign-in.ts';

/**
 * The cookie of a sign-in that waits for the provider's response. `SameSite=Lax`: the callback is a navigation that
 * another site begins, and no other cross-site request may carry the cookie. All providers and tabs share one cookie,
 * so only the sign-in that was begun last can be completed.
 */
export interface PendingCookie {
  read(header: string | undefined): string | undefined;
  set(reply: FastifyReply, sealed: string): void;
  clear(reply: FastifyReply): void;
}

/** @param secure true if the public URL is https */
export function pendingCookie({ secure }: { readonly secure: boolean }): PendingCookie {
  const name = secure ? '__Host-trapline-oauth' : 'trapline-oauth';
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return {
    read(header = '') {
      const pair = header
        .split(';')
        .map((part) => part.trim())
        .find((part) => part.startsWith(`${name}=`));
      return pair?.slice(name.length + 1);
    },
    set: (reply, sealed) => {
      reply.header('set-cookie', `${name}=${sealed}; ${attributes}; Max-Age=${PENDING_SIGN_IN_SECONDS}`);
    },
    clear: (reply) => {
      reply.header('set-cookie', `${name}=; ${attributes}; Max-Age=0`);
    },
  };
}
