import { Button, Group, Loader, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { DiffView } from '../../parts/diff/diff-view.tsx';
import { unifiedLines } from '../../parts/diff/line-diff.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { type Column, RecordList } from '../../parts/list/record-list.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { type Version, versionsList, type Workflow, workflowKey } from './queries.ts';
import { WORKFLOWS_TEXT } from './text.ts';

const TEXT = WORKFLOWS_TEXT.versions;
const workflowRoute = getRouteApi('/_signed-in/workflows/$id');

const COLUMNS: readonly Column<Version>[] = [
  { id: 'version', header: TEXT.columns.version, width: 'minmax(5rem, 1fr)', cell: ({ version }) => <b>{version}</b> },
  {
    id: 'current',
    header: TEXT.columns.current,
    width: '5.5rem',
    cell: ({ isCurrent }) => (isCurrent ? <StatusBadge text={TEXT.current} tone="good" /> : ''),
  },
  { id: 'at', header: TEXT.columns.released, width: '7rem', cell: ({ createdAt }) => <TimeText at={createdAt} ago /> },
];

/** Versions. The selected version is compared with the current one and can be restored. */
export function VersionsTab({ workflow: { name, version: current } }: { readonly workflow: Workflow }) {
  const { version } = workflowRoute.useSearch();
  const navigate = useNavigate({ from: '/workflows/$id' });
  const query = useInfiniteQuery(versionsList(name));
  return (
    <>
      <RecordList
        label={TEXT.list}
        columns={COLUMNS}
        query={query}
        rowId={({ id }) => id}
        onOpen={(row) => void navigate({ search: { tab: 'versions', version: row.version } })}
        empty={TEXT.empty}
        height="16rem"
      />
      {version !== undefined && <Comparison workflow={name} version={version} current={current} />}
    </>
  );
}

function Comparison({
  workflow,
  version,
  current,
}: {
  readonly workflow: string;
  readonly version: string;
  readonly current: string;
}) {
  const [asking, setAsking] = useState(false);
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: [...workflowKey(workflow), 'diff', version, current],
    queryFn: ({ signal }) =>
      call('get', '/api/v1/workflows/{id}/versions/{version}/diff', { path: { id: workflow, version }, signal }),
  });
  return (
    <section aria-label={TEXT.comparison}>
      <Group justify="space-between" my="sm">
        <Title order={2} size="h5">
          {version === current ? TEXT.titleOf(version) : TEXT.titleBetween(version, current)}
        </Title>
        {version !== current && (
          <Button variant="default" onClick={() => setAsking(true)}>
            {TEXT.restore(version)}
          </Button>
        )}
      </Group>
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Loader aria-label={TEXT.comparing} size="sm" />}
      {data !== undefined &&
        (version === current ? (
          <Text c="dimmed">{TEXT.isCurrent}</Text>
        ) : (
          <DiffView lines={data.diff === '' ? [] : unifiedLines(data.diff)} label={TEXT.difference} />
        ))}
      <Confirm
        opened={asking}
        title={TEXT.restoreTitle(version)}
        action={TEXT.restoreAction}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await call('post', '/api/v1/workflows/{id}/rollback', { path: { id: workflow }, body: { version } });
          await queries.invalidateQueries({ queryKey: workflowKey(workflow) });
          showDone(TEXT.restored(version));
        }}
      >
        {TEXT.consequence}
      </Confirm>
    </section>
  );
}
