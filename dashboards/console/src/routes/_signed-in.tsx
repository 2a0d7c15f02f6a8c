import { createFileRoute, redirect } from '@tanstack/react-router';
import { sessionQuery } from '../api/session.ts';
import { takeEarlyList } from '../app/early-list.ts';
import { keepRole } from '../app/kept-role.ts';
import { Shell } from '../app/shell.tsx';

/**
 * Parent of all pages with a session. Redirects to the sign-in page if there is no session. `context.profile` is the
 * signed-in user.
 */
export const Route = createFileRoute('/_signed-in')({
  beforeLoad: async ({ context, location }) => {
    const profile = await context.queries.ensureQueryData(sessionQuery);
    keepRole(profile?.role ?? null);
    if (profile === null) throw redirect({ to: '/sign-in', search: { returnTo: location.href } });
    return { profile };
  },
  loader: ({ context }) => takeEarlyList(context.queries),
  component: Shell,
});
