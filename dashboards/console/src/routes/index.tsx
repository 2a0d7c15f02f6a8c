import { createFileRoute, redirect } from '@tanstack/react-router';
import { may, sessionQuery } from '../api/session.ts';

/** Redirects analysts to the detections and other users to the first steps. */
export const Route = createFileRoute('/')({
  beforeLoad: async ({ context }) => {
    const profile = await context.queries.ensureQueryData(sessionQuery);
    if (profile === null) throw redirect({ to: '/sign-in', search: {} });
    throw redirect({ href: may(profile, 'analyst') ? '/detections' : '/first-steps' });
  },
});
