import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page.ts';
import { signedInRoute } from '../../app/signed-in-route.tsx';
import { onlyRead } from '../../parts/search-params.ts';
import { readEventFilters } from './filters.ts';

export const eventsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/events',
  validateSearch: onlyRead(readEventFilters),
  component: lazyPage(() => import('./events-page.tsx'), 'EventsPage'),
});

export const eventRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/events/$id',
  component: lazyPage(() => import('./event-page.tsx'), 'EventPage'),
});
