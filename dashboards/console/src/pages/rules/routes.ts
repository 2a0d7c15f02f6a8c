import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page.ts';
import { signedInRoute } from '../../app/signed-in-route.tsx';

export const rulesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/rules',
  component: lazyPage(() => import('./rules-page.tsx'), 'RulesPage'),
});

export const ruleRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/rules/$id',
  component: lazyPage(() => import('./rule-page.tsx'), 'RulePage'),
});
