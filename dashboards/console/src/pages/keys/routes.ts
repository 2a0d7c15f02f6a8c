import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/signed-in-route.tsx';

export const keysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/keys',
  component: lazyRouteComponent(() => import('./keys-page.tsx'), 'KeysPage'),
});
