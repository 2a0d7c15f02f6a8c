import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/signed-in-route.tsx';
import { readDetectionFilters } from './filters.ts';

export const detectionsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/detections',
  validateSearch: readDetectionFilters,
  component: lazyRouteComponent(() => import('./detections-page.tsx'), 'DetectionsPage'),
});
