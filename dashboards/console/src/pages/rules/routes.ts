import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/signed-in-route.tsx';

export const rulesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/rules',
  component: lazyRouteComponent(() => import('./rules-page.tsx'), 'RulesPage'),
});

export const ruleRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/rules/$id',
  component: lazyRouteComponent(() => import('./rule-page.tsx'), 'RulePage'),
});
