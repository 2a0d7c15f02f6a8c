import { createRoute } from '@tanstack/react-router';
import { ROLES, type Role } from '#schemas/api/role-order.ts';
import { lazyPage } from '../../app/lazy-page.ts';
import { signedInRoute } from '../../app/signed-in-route.tsx';
import { choiceParam, onlyRead, textParam } from '../../parts/search-params.ts';

export const STATES = ['working', 'disabled'] as const;

/** Filters of the list of accounts. */
export interface UsersSearch {
  readonly q?: string;
  readonly role?: Role;
  readonly state?: (typeof STATES)[number];
}

/** Filters of the audit log; times are RFC 3339. */
export interface AuditSearch {
  readonly actor?: string;
  readonly target?: string;
  readonly action?: string;
  readonly from?: string;
  readonly to?: string;
}

/** With the entry that is opened, by its id: an address to hand on. */
export interface AuditPageSearch extends AuditSearch {
  readonly entry?: string;
}

export const usersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/admin/users',
  validateSearch: onlyRead(
    (search: Record<string, unknown>): UsersSearch =>
      nonEmpty<UsersSearch>({
        q: textParam(search.q),
        role: choiceParam(search.role, ROLES),
        state: choiceParam(search.state, STATES),
      }),
  ),
  component: lazyPage(() => import('./users-page.tsx'), 'UsersPage'),
});

export const userRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/admin/users/$id',
  component: lazyPage(() => import('./user-page.tsx'), 'UserPage'),
});

export const auditLogRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/admin/audit-log',
  validateSearch: onlyRead(
    (search: Record<string, unknown>): AuditPageSearch =>
      nonEmpty<AuditPageSearch>({
        actor: textParam(search.actor),
        target: textParam(search.target),
        action: textParam(search.action),
        from: timeParam(search.from),
        to: timeParam(search.to),
        entry: textParam(search.entry),
      }),
  ),
  component: lazyPage(() => import('./audit-log-page.tsx'), 'AuditLogPage'),
});

function timeParam(value: unknown): string | undefined {
  const ms = Date.parse(textParam(value) ?? '');
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** What stands in the address: nothing that is not set. */
export function nonEmpty<T extends object>(values: { readonly [K in keyof T]: string | undefined }): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== '')) as T;
}
