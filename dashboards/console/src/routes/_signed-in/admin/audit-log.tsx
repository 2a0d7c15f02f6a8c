import { SimpleGrid, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { call } from '../../../api/client.ts';
import { offsetList } from '../../../api/lists.ts';
import { APP_TEXT } from '../../../app/text.ts';
import { AuditEntry, type Entry } from '../../../pages/admin/audit-entry.tsx';
import { type AuditPageSearch, type AuditSearch, nonEmpty, timeParam } from '../../../pages/admin/search.ts';
import { VerifyAuditLog } from '../../../pages/admin/verify-audit-log.tsx';
import { AdminsOnly } from '../../../parts/admins-only.tsx';
import { localTime } from '../../../parts/local-time.ts';
import { Page } from '../../../parts/page.tsx';
import { type Column, RecordList } from '../../../parts/record-list.tsx';
import { onlyRead, textParam } from '../../../parts/search-params.ts';
import { useShortcuts } from '../../../parts/shortcuts.ts';
import { TimeText } from '../../../parts/time-text.tsx';
import { TypedFilter } from '../../../parts/typed-filter.tsx';

export const Route = createFileRoute('/_signed-in/admin/audit-log')({
  staticData: {
    section: { group: 'Administration', order: 3, label: APP_TEXT.sections.auditLog, role: 'admin', keys: 'g t' },
  },
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
  component: AuditLogPage,
});

const COLUMNS: readonly Column<Entry>[] = [
  { id: 'at', header: 'Time', width: '13.5rem', cell: ({ at }) => <TimeText at={at} /> },
  { id: 'action', header: 'Action', width: 'minmax(7rem, 1fr)', cell: ({ action }) => action },
  {
    id: 'actor',
    header: 'Who',
    width: 'minmax(8rem, 1.5fr)',
    cell: ({ actor, actorName }) => <Named id={actor} name={actorName} />,
    wideOnly: true,
  },
  {
    id: 'target',
    header: 'On what',
    width: 'minmax(8rem, 1.5fr)',
    cell: ({ target, targetName }) => <Named id={target} name={targetName} />,
    wideOnly: true,
  },
  { id: 'ip', header: 'From', width: '8rem', cell: ({ ip }) => ip, wideOnly: true },
];

/** By name where there is one, with what kind of thing it is. */
function Named({ id, name }: { readonly id: string; readonly name: string | null }) {
  return <span title={id}>{name === null ? id : `${id.split(':')[0]} ${name}`}</span>;
}

const FIELDS = [
  { name: 'action', label: 'Action', placeholder: 'key.revoke' },
  { name: 'actor', label: 'Who', placeholder: 'user:…, key:…, operator' },
  { name: 'target', label: 'On what', placeholder: 'user:…, key:…, rule:…' },
] as const;

function AuditLogPage() {
  return (
    <AdminsOnly>
      <AuditLog />
    </AdminsOnly>
  );
}

function AuditLog() {
  const { entry, ...search } = Route.useSearch();
  const navigate = useNavigate();
  useShortcuts([{ keys: '/', does: 'Filter by action', run: () => document.getElementsByName('action')[0]?.focus() }]);
  const query = useInfiniteQuery(
    offsetList<Entry>(['audit-log', search], (offset, signal) =>
      call('get', '/api/admin/audit-log', { signal, query: { ...search, limit: 100, offset } }),
    ),
  );
  const shown = query.data?.pages.flatMap(({ data }) => data).find(({ id }) => String(id) === entry);
  function open(id: string | undefined) {
    void navigate({ to: '/admin/audit-log', search: nonEmpty<AuditPageSearch>({ ...search, entry: id }) });
  }
  function filter(change: AuditSearch) {
    void navigate({ to: '/admin/audit-log', search: nonEmpty<AuditSearch>({ ...search, ...change }), replace: true });
  }

  return (
    <Page title="Audit log" actions={<VerifyAuditLog />}>
      <SimpleGrid cols={{ base: 2, md: 5 }} spacing="sm" mb="sm">
        {FIELDS.map(({ name, label, placeholder }) => (
          <TypedFilter
            key={name}
            name={name}
            label={label}
            placeholder={placeholder}
            value={search[name] ?? ''}
            onFilter={(value) => filter({ [name]: value })}
          />
        ))}
        {(['from', 'to'] as const).map((name) => (
          <TextInput
            key={name}
            type="datetime-local"
            label={name === 'from' ? 'Not before' : 'Before'}
            value={localTime(search[name])}
            onChange={({ currentTarget: { value } }) =>
              filter({ [name]: value === '' ? '' : new Date(value).toISOString() })
            }
          />
        ))}
      </SimpleGrid>
      <RecordList
        label="Entries of the audit log"
        columns={COLUMNS}
        query={query}
        rowId={({ id }) => String(id)}
        onOpen={({ id }) => open(String(id))}
        empty="No entry is like that. Filters match exactly: take one away."
      />
      <AuditEntry
        id={entry}
        shown={shown}
        onClose={() => open(undefined)}
        onFilter={(change) => void navigate({ to: '/admin/audit-log', search: change })}
      />
    </Page>
  );
}
