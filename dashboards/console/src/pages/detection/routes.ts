import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/signed-in-route.tsx';

export const detectionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/detections/$id',
  component: lazyRouteComponent(() => import('./detection-page.tsx'), 'DetectionPage'),
});
