import type { QueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { type Profile, sessionQuery } from '../../api/session.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/**
 * Signs in. Resolves with `second-step` if the account needs a second factor. Resolves with undefined if the server
 * opened a session but the browser did not store its cookie.
 */
export async function signIn(queries: QueryClient, body: Credentials): Promise<Profile | 'second-step' | undefined> {
  const answer = await call('post', '/api/auth/callback/credentials', { body });
  return 'secondFactor' in answer ? 'second-step' : openedSession(queries);
}

/** Returns the session that a sign-in opened. Undefined if the browser did not store its cookie. */
export async function openedSession(queries: QueryClient): Promise<Profile | undefined> {
  return (await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })) ?? undefined;
}
