import { createRoute, redirect } from '@tanstack/react-router';
import { may, sessionQuery } from '../api/session.ts';
import { rootRoute } from './root-route.tsx';

/** The start leads analysts to the detections, everyone else to the first steps. */
export const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async ({ context }) => {
    const profile = await context.queries.ensureQueryData(sessionQuery);
    if (profile === null) throw redirect({ to: '/sign-in', search: {} });
    throw redirect({ href: may(profile, 'analyst') ? '/detections' : '/first-steps' });
  },
});
