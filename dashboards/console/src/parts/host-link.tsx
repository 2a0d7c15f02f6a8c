import { PageLink } from './page-link.tsx';
import { visible } from './visible.ts';

/** The name of a host, which leads to its page; a dash where none is named. */
export function HostLink({ hostname }: { readonly hostname: string | null | undefined }) {
  if (!hostname) return '–';
  return (
    <PageLink to="/hosts/$hostname" params={{ hostname }} size="sm">
      {visible(hostname)}
    </PageLink>
  );
}
