import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { cursorList } from '../../api/lists.ts';
import { APP_TEXT } from '../../app/text.ts';
import { type QueueState, stateOf, type WorkerQueue } from '../../pages/workers/queue-state.ts';
import { WORKERS_TEXT } from '../../pages/workers/text.ts';
import { durationText } from '../../parts/execution/duration.ts';
import { RecordList } from '../../parts/list/record-list.tsx';
import { Page } from '../../parts/page.tsx';
import { RefreshButton } from '../../parts/refresh-button.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { PARTS_TEXT } from '../../parts/text.ts';
import { valueColumns } from '../../parts/values/value-columns.tsx';
import { visible } from '../../parts/visible.ts';

export const Route = createFileRoute('/_signed-in/workers')({
  staticData: {
    section: { group: 'Automation', order: 5, label: APP_TEXT.sections.workers, role: 'user', keys: 'g q' },
  },
  component: WorkersPage,
});

const TEXT = WORKERS_TEXT;
const REFRESH_MS = 10_000;
const TONES: Readonly<Record<QueueState, 'neutral' | 'good' | 'active' | 'bad'>> = {
  idle: 'neutral',
  working: 'good',
  waiting: 'active',
  noWorker: 'bad',
};

const COLUMNS = valueColumns<WorkerQueue>({ titleOf: ({ queue }) => queue }, [
  {
    id: 'queue',
    header: TEXT.columns.queue,
    width: 'minmax(7rem, 2fr)',
    valuesOf: ({ queue }) => ({ name: 'queue', value: queue }),
    cell: ({ queue }) => (
      <Text span inherit fw={500}>
        {queue}
      </Text>
    ),
    phoneLine: ({ waiting, leased }) => TEXT.counts(TEXT.count(waiting), TEXT.count(leased)),
  },
  {
    id: 'state',
    header: TEXT.columns.state,
    width: '7rem',
    valuesOf: (row) => {
      const state = stateOf(row, Date.now());
      return { name: 'state', value: state, shown: TEXT.states[state] };
    },
    cell: (row) => {
      const state = stateOf(row, Date.now());
      return <StatusBadge text={TEXT.states[state]} tone={TONES[state]} />;
    },
  },
  {
    id: 'account',
    header: TEXT.columns.account,
    width: 'minmax(6rem, 1fr)',
    valuesOf: ({ account }) => ({ name: 'account', value: account }),
    cell: ({ account }) => account ?? PARTS_TEXT.operator,
    wideOnly: 'desktop',
  },
  {
    id: 'waiting',
    header: TEXT.columns.waiting,
    width: '6rem',
    valuesOf: ({ waiting }) => ({ name: 'waiting', value: waiting, shown: TEXT.count(waiting) }),
    wideOnly: true,
  },
  {
    id: 'leased',
    header: TEXT.columns.leased,
    width: '6rem',
    valuesOf: ({ leased }) => ({ name: 'leased', value: leased, shown: TEXT.count(leased) }),
    wideOnly: true,
  },
  {
    id: 'oldest',
    header: TEXT.columns.oldest,
    width: '8rem',
    valuesOf: ({ oldestSeconds }) => ({
      name: 'oldest',
      value: oldestSeconds,
      shown: oldestSeconds === null ? '' : durationText(oldestSeconds * 1_000),
    }),
    wideOnly: true,
  },
  {
    id: 'workers',
    header: TEXT.columns.workers,
    width: 'minmax(8rem, 3fr)',
    valuesOf: ({ workers }) => workers.map(({ name }) => ({ name: 'worker', value: name })),
    cell: ({ workers }) =>
      workers.length === 0 ? (
        <Text span size="sm" c="dimmed">
          {TEXT.none}
        </Text>
      ) : (
        visible(namesOf(workers))
      ),
    wideOnly: true,
  },
]);

const queuesList = cursorList<WorkerQueue>(['worker-queues'], async (_, signal) => ({
  ...(await call('get', '/api/worker-queues', { signal })),
  nextCursor: null,
}));

/** Queues of external workers: waiting tasks, and the workers that process them. */
function WorkersPage() {
  const query = useInfiniteQuery({ ...queuesList, refetchInterval: REFRESH_MS });
  return (
    <Page title={TEXT.title} actions={<RefreshButton query={query}>{TEXT.refresh}</RefreshButton>}>
      <Text size="sm" c="dimmed" mb="sm">
        {TEXT.hint}
      </Text>
      <RecordList
        label={TEXT.list}
        columns={COLUMNS}
        query={query}
        rowId={({ account, queue }) => `${account ?? ''}/${queue}`}
        empty={TEXT.empty}
      />
    </Page>
  );
}

/** Workers with tasks first. */
function namesOf(workers: WorkerQueue['workers']): string {
  return workers
    .toSorted((a, b) => b.leased - a.leased)
    .map(({ name, leased }) => (leased === 0 ? name : TEXT.busy(name, TEXT.count(leased))))
    .join(', ');
}
