import type { QueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { type Profile, sessionQuery } from '../../api/session.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/**
 * Signs in. Resolves to `second-step` when the account needs a second factor, and to undefined when the server opened a session, but the browser
 * did not keep its cookie.
 */
export async function signIn(queries: QueryClient, body: Credentials): Promise<Profile | 'second-step' | undefined> {
  const answer = await call('post', '/api/auth/callback/credentials', { body });
  return 'secondFactor' in answer ? 'second-step' : openedSession(queries);
}

/** The session that a sign-in has opened; undefined when the browser did not keep its cookie. */
export async function openedSession(queries: QueryClient): Promise<Profile | undefined> {
  return (await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })) ?? undefined;
}
