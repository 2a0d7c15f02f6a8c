import { createRouter } from '@tanstack/react-router';
import { PagePending } from '../parts/page-pending.tsx';
import { routeTree } from '../route-tree.gen.ts';
import { PageFailure } from './page-failure.tsx';
import { queries } from './queries.ts';

export const router = createRouter({
  routeTree,
  context: { queries },
  defaultPreload: 'intent',
  defaultPendingComponent: PagePending,
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
