import { createRouter } from '@tanstack/react-router';
import { pages } from '../pages/pages.ts';
import { PagePending } from '../parts/page-pending.tsx';
import { PageFailure } from './page-failure.tsx';
import { queries } from './queries.ts';
import { rootRoute } from './root-route.tsx';
import { signedInRoute } from './signed-in-route.tsx';
import { startRoute } from './start-route.ts';

const routeTree = rootRoute.addChildren([startRoute, ...pages.open, signedInRoute.addChildren(pages.signedIn)]);

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
