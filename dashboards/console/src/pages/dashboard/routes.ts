import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page.ts';
import { signedInRoute } from '../../app/signed-in-route.tsx';
import { choiceParam, onlyRead } from '../../parts/search-params.ts';

export const VIEWS = ['overview', 'live'] as const;
export const RANGES = ['1h', '24h', '7d', '30d'] as const;

export interface DashboardSearch {
  readonly view?: (typeof VIEWS)[number];
  readonly range?: (typeof RANGES)[number];
}

export const dashboardPageRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/dashboard',
  validateSearch: onlyRead((search: Record<string, unknown>): DashboardSearch => {
    const view = choiceParam(search.view, VIEWS);
    const range = choiceParam(search.range, RANGES);
    return { ...(view === undefined ? {} : { view }), ...(range === undefined ? {} : { range }) };
  }),
  component: lazyPage(() => import('./dashboard-page.tsx'), 'DashboardPage'),
});
