import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { sessionQuery } from '../api/session.ts';

/**
 * Navigates to the sign-in page when the session ends while a page is open. The session is also
 * requested when the window gets the focus, because it can end elsewhere.
 */
export function SessionWatch() {
  const router = useRouter();
  const { data } = useQuery({ ...sessionQuery, refetchOnWindowFocus: true });
  useEffect(() => {
    if (data === null) void router.invalidate();
  }, [data, router]);
  return null;
}
