import { PageLink } from './page-link.tsx';
import { PARTS_TEXT } from './text.ts';
import { visible } from './visible.ts';

/** The name of a host, linked to its page, or a text for an unknown host. */
export function HostLink({ hostname }: { readonly hostname: string | null | undefined }) {
  if (!hostname) return PARTS_TEXT.unknownHost;
  return (
    <PageLink to="/hosts/$hostname" params={{ hostname }} size="sm">
      {visible(hostname)}
    </PageLink>
  );
}
