import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page.ts';
import { signedInRoute } from '../../app/signed-in-route.tsx';
import { defined } from '../../parts/defined.ts';
import { choiceParam, onlyRead, textParam } from '../../parts/search-params.ts';
import { RANGE_NAMES, type TimeRange, timeParam } from '../../parts/time-range.ts';

/** Filters of the list of hosts. */
export interface HostsSearch extends TimeRange {
  /** Text anywhere in the name. */
  readonly q?: string | undefined;
}

const timeOf = (search: Record<string, unknown>): TimeRange =>
  defined({ range: choiceParam(search.range, RANGE_NAMES), from: timeParam(search.from), to: timeParam(search.to) });

export const hostsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/hosts',
  validateSearch: onlyRead(
    (search: Record<string, unknown>): HostsSearch => defined({ ...timeOf(search), q: textParam(search.q) }),
  ),
  component: lazyPage(() => import('./hosts-page.tsx'), 'HostsPage'),
});

export const hostRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/hosts/$hostname',
  validateSearch: onlyRead(timeOf),
  component: lazyPage(() => import('./host-page.tsx'), 'HostPage'),
});
