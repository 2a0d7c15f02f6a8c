import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page.ts';
import { signedInRoute } from '../../app/signed-in-route.tsx';
import { defined } from '../../parts/defined.ts';
import { choiceParam, onlyRead, textParam } from '../../parts/search-params.ts';

export interface ExceptionsSearch {
  /** Also those that were taken away. */
  readonly ended?: 'true' | undefined;
}

/** What the form of a new exception begins with. */
export interface NewExceptionSearch {
  readonly hostname?: string | undefined;
  readonly program?: string | undefined;
  readonly file?: string | undefined;
  readonly rule?: string | undefined;
}

export const exceptionsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/exceptions',
  validateSearch: onlyRead(
    (search: Record<string, unknown>): ExceptionsSearch =>
      defined({ ended: choiceParam(String(search.ended), ['true']) }),
  ),
  component: lazyPage(() => import('./exceptions-page.tsx'), 'ExceptionsPage'),
});

export const newExceptionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/exceptions/new',
  validateSearch: onlyRead(
    (search: Record<string, unknown>): NewExceptionSearch =>
      defined({
        hostname: textParam(search.hostname),
        program: textParam(search.program),
        file: textParam(search.file),
        rule: textParam(search.rule),
      }),
  ),
  component: lazyPage(() => import('./new-exception-page.tsx'), 'NewExceptionPage'),
});
