import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/signed-in-route.tsx';

export const firstStepsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/first-steps',
  component: lazyRouteComponent(() => import('./first-steps-page.tsx'), 'FirstStepsPage'),
});
