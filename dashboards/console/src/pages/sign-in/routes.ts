import { createRoute, redirect } from '@tanstack/react-router';
import { sessionQuery } from '../../api/session.ts';
import { lazyPage } from '../../app/lazy-page.ts';
import { rootRoute } from '../../app/root-route.tsx';
import { textParam } from '../../parts/search-params.ts';

/** Where a person goes after signing in; only addresses of this console, else a link could lead a person astray. */
function ownAddress(value: unknown): string | undefined {
  const text = textParam(value);
  return text !== undefined && /^\/(?![/\\])/.test(text) ? text : undefined;
}

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { returnTo?: string } => {
    const returnTo = ownAddress(search.returnTo);
    return returnTo === undefined ? {} : { returnTo };
  },
  beforeLoad: async ({ context, search }) => {
    const profile = await context.queries.ensureQueryData(sessionQuery).catch(() => null);
    if (profile !== null) throw redirect({ href: search.returnTo ?? '/' });
  },
  component: lazyPage(() => import('./sign-in-page.tsx'), 'SignInPage'),
});

export const registerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/register',
  component: lazyPage(() => import('./register-page.tsx'), 'RegisterPage'),
});

export const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot-password',
  component: lazyPage(() => import('./forgot-password-page.tsx'), 'ForgotPasswordPage'),
});
