import type { FastifyReply } from 'fastify';
import { PENDING_SIGN_IN_SECONDS } from '../../oauth/pending-sign-in.ts';

/**
 * The cookie that waits for a provider's answer. `SameSite=Lax`: the callback is a navigation that another site begins, and nothing else
 * of theirs may carry it. One for all providers and tabs: the sign-in that was begun last is the one that can be finished.
 */
export interface PendingCookie {
  read(header: string | undefined): string | undefined;
  set(reply: FastifyReply, sealed: string): void;
  clear(reply: FastifyReply): void;
}

/** @param secure people reach the server over https */
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
