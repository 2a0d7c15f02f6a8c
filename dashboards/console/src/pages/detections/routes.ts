import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page.ts';
import { signedInRoute } from '../../app/signed-in-route.tsx';
import { onlyRead } from '../../parts/search-params.ts';
import { readDetectionFilters } from './filters.ts';

export const detectionsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/detections',
  validateSearch: onlyRead(readDetectionFilters),
  component: lazyPage(() => import('./detections-page.tsx'), 'DetectionsPage'),
});
