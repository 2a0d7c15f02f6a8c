import { linkOptions } from '@tanstack/react-router';

/** Pages of records that a value can identify. */
const PAGES = {
  detection: (id: string) => linkOptions({ to: '/detections/$id', params: { id }, search: {} }),
  case: (id: string) => linkOptions({ to: '/cases/$id', params: { id }, search: {} }),
  rule: (id: string) => linkOptions({ to: '/rules/$id', params: { id }, search: {} }),
  workflow: (id: string) => linkOptions({ to: '/workflows/$id', params: { id }, search: {} }),
  agent: (id: string) => linkOptions({ to: '/agents/$id', params: { id }, search: {} }),
  output: (id: string) => linkOptions({ to: '/outputs/$id', params: { id }, search: {} }),
  user: (id: string) => linkOptions({ to: '/admin/users/$id', params: { id }, search: {} }),
} as const;

/** A record with a page. */
export interface ValuePage {
  readonly kind: keyof typeof PAGES;
  readonly id: string;
}

/** Returns the location of a record's page, for links and for `navigate`. */
export function addressOf({ kind, id }: ValuePage): ReturnType<(typeof PAGES)[keyof typeof PAGES]> {
  return PAGES[kind](id);
}

/** Returns the page of a record named as in the audit log, such as `case:case_…`. Undefined if it has no page. */
export function namedPage(text: string): ValuePage | undefined {
  const [, kind = '', id = ''] = /^([a-z]+):(.+)$/s.exec(text) ?? [];
  return Object.hasOwn(PAGES, kind) ? { kind: kind as ValuePage['kind'], id } : undefined;
}
