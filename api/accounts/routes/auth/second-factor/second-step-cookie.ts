import type { FastifyReply, FastifyRequest } from 'fastify';
import { presentedSession } from '#api/http/credentials.ts';
import type { OpenedPendingSignIn } from '../../../second-factor/open-sign-in.ts';
import { type SessionCookie, sessionCookieLine } from '../../../sessions/session-cookie.ts';
import type { OpenedSession } from '../../../sessions/sessions.ts';

/** The cookie of a sign-in that waits for its second step. Browsers send it only to this site, and scripts cannot read it. */
export interface SecondStepCookie {
  read(request: FastifyRequest): string | undefined;
  set(reply: FastifyReply, pending: OpenedPendingSignIn): void;
  clear(reply: FastifyReply): void;
  /** Sets the session cookie and clears the cookie of the step. */
  complete(reply: FastifyReply, session: OpenedSession): void;
}

export function secondStepCookie(session: SessionCookie): SecondStepCookie {
  const { secure } = session.options;
  const name = secure ? '__Host-trapline-second-step' : 'trapline-second-step';
  const attributes = `Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  const clear = (reply: FastifyReply) => {
    reply.header('set-cookie', `${name}=; ${attributes}; Max-Age=0`);
  };
  return {
    clear,
    read: ({ headers }) => presentedSession(headers.cookie, name),
    set: (reply, { token, expiresAt }) => {
      reply.header('set-cookie', `${name}=${token}; ${attributes}; Expires=${expiresAt.toUTCString()}`);
    },
    complete(reply, { token, expiresAt }) {
      reply.header('set-cookie', sessionCookieLine(session, token, expiresAt));
      clear(reply);
    },
  };
}
