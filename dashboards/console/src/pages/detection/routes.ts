import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page.ts';
import { signedInRoute } from '../../app/signed-in-route.tsx';

export const detectionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/detections/$id',
  component: lazyPage(() => import('./detection-page.tsx'), 'DetectionPage'),
});
