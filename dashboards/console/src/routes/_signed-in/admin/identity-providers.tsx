import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { offsetList } from '../../../api/lists.ts';
import { APP_TEXT } from '../../../app/text.ts';
import type { IdentityProvider } from '../../../pages/identity-providers/provider.ts';
import { ProviderDialog } from '../../../pages/identity-providers/provider-dialog.tsx';
import { IDENTITY_PROVIDERS_TEXT } from '../../../pages/identity-providers/text.ts';
import { AdminsOnly } from '../../../parts/admins-only.tsx';
import { RecordList } from '../../../parts/list/record-list.tsx';
import { Page } from '../../../parts/page.tsx';
import { valueColumns } from '../../../parts/values/value-columns.tsx';
import { visible } from '../../../parts/visible.ts';

export const Route = createFileRoute('/_signed-in/admin/identity-providers')({
  staticData: {
    section: {
      group: 'Administration',
      order: 6,
      label: APP_TEXT.sections.identityProviders,
      role: 'admin',
      keys: 'g i',
    },
  },
  component: IdentityProvidersPage,
});

const TEXT = IDENTITY_PROVIDERS_TEXT;

const COLUMNS = valueColumns<IdentityProvider>({ titleOf: ({ name }) => name }, [
  {
    id: 'name',
    header: TEXT.columns.name,
    width: 'minmax(6rem, 1fr)',
    valuesOf: ({ name }) => ({ name: 'name', value: name }),
    phoneLine: ({ protocol }) => TEXT.protocols[protocol],
  },
  {
    id: 'protocol',
    header: TEXT.columns.protocol,
    width: '9rem',
    valuesOf: ({ protocol }) => ({ name: 'protocol', value: protocol, shown: TEXT.protocols[protocol] }),
    wideOnly: true,
  },
  {
    id: 'issuer',
    header: TEXT.columns.issuer,
    width: 'minmax(8rem, 2fr)',
    valuesOf: ({ issuer }) => ({ name: 'issuer', value: issuer }),
    wideOnly: true,
  },
  {
    id: 'domains',
    header: TEXT.columns.domains,
    width: 'minmax(6rem, 1fr)',
    valuesOf: ({ allowedDomains }) => (allowedDomains ?? []).map((value) => ({ name: 'domain', value })),
    cell: ({ allowedDomains }) => visible(allowedDomains?.join(', ') ?? TEXT.anyDomain),
    wideOnly: true,
  },
  {
    id: 'signUp',
    header: TEXT.columns.signUp,
    width: '9rem',
    valuesOf: ({ signUp }) => ({ name: 'signUp', value: signUp, shown: TEXT.signUp[signUp] }),
    wideOnly: 'desktop',
  },
  {
    id: 'accounts',
    header: TEXT.columns.accounts,
    width: '6rem',
    valuesOf: ({ identities }) => ({ name: 'accounts', value: identities, shown: TEXT.accounts(identities) }),
  },
]);

function IdentityProvidersPage() {
  return (
    <AdminsOnly>
      <IdentityProviders />
    </AdminsOnly>
  );
}

function IdentityProviders() {
  const [shown, setShown] = useState<IdentityProvider>();
  const query = useInfiniteQuery(
    offsetList<IdentityProvider>(['identity-providers'], async (_offset, signal) => {
      // Fetches all providers in one response, because there are only a few.
      const { data } = await call('get', '/api/admin/identity-providers', { signal });
      return { data, total: data.length, offset: 0 };
    }),
  );
  return (
    <Page title={TEXT.title}>
      <Text size="sm" c="dimmed" mb="sm">
        {TEXT.hint}
      </Text>
      <RecordList
        label={TEXT.list}
        columns={COLUMNS}
        query={query}
        rowId={({ id }) => id}
        onOpen={setShown}
        empty={TEXT.empty}
      />
      {shown !== undefined && <ProviderDialog provider={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}
