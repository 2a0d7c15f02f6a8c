import { createRoute, redirect } from '@tanstack/react-router';
import { sessionQuery } from '../api/session.ts';
import { rootRoute } from './root-route.tsx';
import { Shell } from './shell.tsx';

/** The parent of every page that needs a session; without one it leads to the sign-in page and back afterwards. `context.profile` is who is signed in. */
export const signedInRoute = createRoute({
  id: 'signed-in',
  getParentRoute: () => rootRoute,
  beforeLoad: async ({ context, location }) => {
    const profile = await context.queries.ensureQueryData(sessionQuery);
    if (profile === null) throw redirect({ to: '/sign-in', search: { returnTo: location.href } });
    return { profile };
  },
  component: Shell,
});
