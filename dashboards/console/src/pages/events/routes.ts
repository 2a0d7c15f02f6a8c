import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/signed-in-route.tsx';
import { readEventFilters } from './filters.ts';

export const eventsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/events',
  validateSearch: readEventFilters,
  component: lazyRouteComponent(() => import('./events-page.tsx'), 'EventsPage'),
});

export const eventRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/events/$id',
  component: lazyRouteComponent(() => import('./event-page.tsx'), 'EventPage'),
});
