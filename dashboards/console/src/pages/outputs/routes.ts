import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page.ts';
import { signedInRoute } from '../../app/signed-in-route.tsx';
import { defined } from '../../parts/defined.ts';
import { onlyRead, textParam } from '../../parts/search-params.ts';

export const outputsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/outputs',
  component: lazyPage(() => import('./outputs-page.tsx'), 'OutputsPage'),
});

export const newOutputRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/outputs/new',
  validateSearch: onlyRead((search: Record<string, unknown>): { readonly type?: string | undefined } =>
    defined({ type: textParam(search.type) }),
  ),
  component: lazyPage(() => import('./new-output-page.tsx'), 'NewOutputPage'),
});

export const outputRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/outputs/$id',
  component: lazyPage(() => import('./output-page.tsx'), 'OutputPage'),
});
