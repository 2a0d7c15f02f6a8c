import { SimpleGrid } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { call } from '../../../api/client.ts';
import { offsetList } from '../../../api/lists.ts';
import { APP_TEXT } from '../../../app/text.ts';
import { AuditEntry, type Entry } from '../../../pages/admin/audit-entry.tsx';
import { type AuditPageSearch, type AuditSearch, nonEmpty, timeParam } from '../../../pages/admin/search.ts';
import { ADMIN_TEXT } from '../../../pages/admin/text.ts';
import { VerifyAuditLog } from '../../../pages/admin/verify-audit-log.tsx';
import { AdminsOnly } from '../../../parts/admins-only.tsx';
import { TypedFilter } from '../../../parts/filters/typed-filter.tsx';
import { RecordList } from '../../../parts/list/record-list.tsx';
import { Page } from '../../../parts/page.tsx';
import { onlyRead, textParam } from '../../../parts/search-params.ts';
import { useShortcuts } from '../../../parts/shortcuts.ts';
import { MomentInput } from '../../../parts/time/moment-input.tsx';
import { inputValue, timeOfInput } from '../../../parts/time/time-input.ts';
import { TimeText } from '../../../parts/time/time-text.tsx';
import { momentText } from '../../../parts/time/time-words.ts';
import { type CellValue, valueColumns } from '../../../parts/values/value-columns.tsx';
import { namedPage } from '../../../parts/values/value-page.ts';
import { visible } from '../../../parts/visible.ts';

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

const TEXT = ADMIN_TEXT.audit;

const COLUMNS = valueColumns<Entry>({ list: '/admin/audit-log', titleOf: ({ action }) => action }, [
  {
    id: 'at',
    header: TEXT.columns.time,
    width: 'minmax(8rem, 9rem)',
    valuesOf: ({ at }) => ({ name: 'at', value: at, shown: () => momentText(new Date(at)), by: 'range' }),
    cell: ({ at }) => <TimeText at={at} />,
  },
  {
    id: 'action',
    header: TEXT.columns.action,
    width: 'minmax(7rem, 1.2fr)',
    valuesOf: ({ action }) => ({ name: 'action', value: action, by: 'only' }),
  },
  {
    id: 'actor',
    header: TEXT.columns.actor,
    width: 'minmax(8rem, 1.8fr)',
    valuesOf: ({ actor, actorName }) => named('actor', actor, actorName),
    cell: ({ actor, actorName }) => <Named id={actor} name={actorName} />,
    wideOnly: true,
  },
  {
    id: 'target',
    header: TEXT.columns.target,
    width: 'minmax(8rem, 1.8fr)',
    valuesOf: ({ target, targetName }) => named('target', target, targetName),
    cell: ({ target, targetName }) => <Named id={target} name={targetName} />,
    wideOnly: true,
  },
  {
    id: 'ip',
    header: TEXT.columns.ip,
    width: '8rem',
    wideOnly: true,
    valuesOf: ({ ip }) => ({ name: 'ip address', value: ip, list: null }),
  },
]);

/** An actor or target, linked to its page. The audit log has no filter that excludes values. */
function named(column: 'actor' | 'target', id: string, name: string | null): CellValue {
  const hostname = /^detector:(.+)$/s.exec(id)?.[1];
  return {
    name: column,
    value: id,
    shown: auditName(id, name),
    by: 'only',
    page: namedPage(id),
    subject: { hostname },
  };
}

function Named({ id, name }: { readonly id: string; readonly name: string | null }) {
  return <span title={id}>{visible(auditName(id, name))}</span>;
}

/** Returns the name of an actor or target, or its ID if there is no name. */
function auditName(id: string, name: string | null): string {
  return name === null ? id : TEXT.named(id.split(':')[0], name);
}

const FIELDS = ['action', 'actor', 'target'] as const;

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
  useShortcuts([{ keys: '/', does: TEXT.filterByAction, run: () => document.getElementsByName('action')[0]?.focus() }]);
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
    <Page title={TEXT.title} actions={<VerifyAuditLog />}>
      <SimpleGrid cols={{ base: 2, md: 5 }} spacing="sm" mb="sm">
        {FIELDS.map((name) => (
          <TypedFilter
            key={name}
            name={name}
            label={TEXT.filters[name].label}
            placeholder={TEXT.filters[name].placeholder}
            value={search[name] ?? ''}
            onFilter={(value) => filter({ [name]: value })}
          />
        ))}
        {(['from', 'to'] as const).map((name) => (
          <MomentInput
            key={name}
            label={name === 'from' ? TEXT.filters.from : TEXT.filters.to}
            whenDone
            value={inputValue(search[name])}
            onChange={(value) => filter({ [name]: timeOfInput(value) ?? '' })}
          />
        ))}
      </SimpleGrid>
      <RecordList
        label={TEXT.list}
        columns={COLUMNS}
        query={query}
        rowId={({ id }) => String(id)}
        onOpen={({ id }) => open(String(id))}
        empty={TEXT.empty}
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
