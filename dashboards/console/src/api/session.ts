import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { hasRole, type Role } from '#schemas/api/role-order.ts';
import { type Answer, call } from './client.ts';
import { Failure } from './failure.ts';

export type Profile = Answer<'get', '/api/user/data'>;

/** The signed-in user; null without a session. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Profile | null> =>
    call('get', '/api/user/data', { signal }).catch((error: unknown) => {
      if (error instanceof Failure && error.status === 401) return null;
      throw error;
    }),
  staleTime: 60_000,
  retry: false,
});

/**
 * Ends the session. Returns true if the browser navigates to the identity provider to end the session there. The
 * provider then redirects to the sign-in page.
 */
export async function signOut(queries: QueryClient): Promise<boolean> {
  const answer = await call('post', '/api/auth/sign-out', {});
  queries.clear();
  if (answer === undefined) return false;
  location.assign(answer.continueAt);
  return true;
}

export function may(profile: Profile, role: Role): boolean {
  return hasRole(profile.role, role);
}
