import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { PageLink } from '../../parts/page-link.tsx';

const USER = 'user:';

/** The user of `user:<id>` by name, with a link to their account; another principal, or one that is not found, as it is. For administrators. */
export function AccountName({ principal }: { readonly principal: string }) {
  const id = principal.startsWith(USER) ? principal.slice(USER.length) : undefined;
  const { data } = useQuery({
    queryKey: ['account-name', id],
    queryFn: ({ signal }) => call('get', '/api/admin/users/{id}', { signal, path: { id: id ?? '' } }),
    enabled: id !== undefined,
    retry: false,
  });
  if (data === undefined) return principal;
  return (
    <PageLink to="/admin/users/$id" params={{ id: data.id }}>
      {data.username}
    </PageLink>
  );
}
