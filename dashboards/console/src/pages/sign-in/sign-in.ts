import type { QueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { type Profile, sessionQuery } from '../../api/session.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Signs in. Resolves to undefined when the server opened a session, but the browser did not keep its cookie. */
export async function signIn(queries: QueryClient, body: Credentials): Promise<Profile | undefined> {
  await call('post', '/api/auth/callback/credentials', { body });
  return (await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })) ?? undefined;
}
