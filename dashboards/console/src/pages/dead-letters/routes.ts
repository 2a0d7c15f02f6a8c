import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page.ts';
import { signedInRoute } from '../../app/signed-in-route.tsx';
import { defined } from '../../parts/defined.ts';
import { choiceParam, onlyRead, textParam } from '../../parts/search-params.ts';
import { RANGE_NAMES, timeParam } from '../../parts/time-range.ts';
import { CODES, type LettersSearch, STATES } from './letters-search.ts';

export const deadLettersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/dead-letters',
  validateSearch: onlyRead(
    (search: Record<string, unknown>): LettersSearch =>
      defined({
        q: textParam(search.q),
        code: choiceParam(search.code, CODES),
        topic: textParam(search.topic),
        status: choiceParam(search.status, STATES),
        range: choiceParam(search.range, RANGE_NAMES),
        from: timeParam(search.from),
        to: timeParam(search.to),
      }),
  ),
  component: lazyPage(() => import('./dead-letters-page.tsx'), 'DeadLettersPage'),
});

export const deadLetterRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/dead-letters/$id',
  component: lazyPage(() => import('./dead-letter-page.tsx'), 'DeadLetterPage'),
});
