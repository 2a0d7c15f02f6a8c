import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page.ts';
import { signedInRoute } from '../../app/signed-in-route.tsx';

export const firstStepsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/first-steps',
  component: lazyPage(() => import('./first-steps-page.tsx'), 'FirstStepsPage'),
});
