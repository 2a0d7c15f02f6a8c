import type { Role } from '#schemas/api/role-order.ts';
import { textParam } from '../../parts/search-params.ts';

export const STATES = ['active', 'disabled'] as const;

/** Filters of the list of users. */
export interface UsersSearch {
  readonly q?: string;
  readonly role?: Role;
  readonly state?: (typeof STATES)[number];
}

/** Filters of the audit log. Times are RFC 3339. */
export interface AuditSearch {
  readonly actor?: string;
  readonly target?: string;
  readonly action?: string;
  readonly from?: string;
  readonly to?: string;
}

/** Filters and the ID of the open entry, so that a URL can link to an entry. */
export interface AuditPageSearch extends AuditSearch {
  readonly entry?: string;
}

export function timeParam(value: unknown): string | undefined {
  const ms = Date.parse(textParam(value) ?? '');
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** Returns the search parameters without unset values. */
export function nonEmpty<T extends object>(values: { readonly [K in keyof T]: string | undefined }): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== '')) as T;
}
