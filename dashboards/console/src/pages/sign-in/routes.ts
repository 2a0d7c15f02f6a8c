import { createRoute, redirect } from '@tanstack/react-router';
import { localPath } from '#schemas/api/return-path.ts';
import { sessionQuery } from '../../api/session.ts';
import { lazyPage } from '../../app/lazy-page.ts';
import { rootRoute } from '../../app/root-route.tsx';
import { defined } from '../../parts/defined.ts';
import { onlyRead, textParam } from '../../parts/search-params.ts';

/** The address to open after signing in: a path of this console, whatever a link says. */
function ownAddress(value: unknown): string | undefined {
  const text = textParam(value);
  return text === undefined ? undefined : localPath(text, window.location.origin);
}

interface SignInSearch {
  readonly returnTo?: string | undefined;
}

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: onlyRead<SignInSearch>((search) => defined({ returnTo: ownAddress(search.returnTo) })),
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
