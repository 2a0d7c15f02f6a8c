import { useRouter } from '@tanstack/react-router';
import type { Role } from '#schemas/api/role-order.ts';

/** Entry of a page in the navigation. Pages without an entry are reached from other pages. */
export interface Section {
  /** One of `GROUPS`. */
  readonly group: (typeof GROUPS)[number];
  /** Position in the group, from 1. */
  readonly order: number;
  readonly label: string;
  /** Minimum role that sees it. */
  readonly role: Role;
  /** Key sequence that opens the page. */
  readonly keys: string;
}

/** The groups of the navigation, in order. `APP_TEXT.groups` contains their names. */
export const GROUPS = ['Detection', 'Automation', 'Account', 'Administration'] as const;

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    readonly section?: Section;
  }
}

/** Returns the navigation entries of all pages with their paths, by group and order. */
export function useSections(): readonly (Section & { readonly to: string })[] {
  const { routesById } = useRouter();
  return Object.values(routesById)
    .flatMap((route) => {
      const { section } = route.options.staticData ?? {};
      return section === undefined ? [] : [{ ...section, to: route.to }];
    })
    .sort((a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group) || a.order - b.order);
}
