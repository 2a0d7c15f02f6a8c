import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { EXECUTION_STATUSES } from '#schemas/api/execution-status.ts';
import { ExecutionStatus } from '../../parts/execution/status.tsx';
import { type Column, RecordList } from '../../parts/record-list.tsx';
import { choiceParam } from '../../parts/search-params.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { type Agent, type AgentExecution, runsList } from './queries.ts';
import { FEEDBACK_STATES, RATINGS, type RunFilters } from './search.ts';

const agentRoute = getRouteApi('/_signed-in/agents/$id/');

const TONES = { pass: 'good', fail: 'bad', partial: 'warning' } as const;

const COLUMNS: readonly Column<AgentExecution>[] = [
  { id: 'status', header: 'State', width: '6.5rem', cell: ({ status }) => <ExecutionStatus status={status} /> },
  { id: 'at', header: 'Begun', width: '7rem', cell: ({ createdAt }) => <TimeText at={createdAt} ago /> },
  { id: 'example', header: 'Example', width: 'minmax(5.5rem, 1fr)', cell: ({ exampleName }) => exampleName ?? '' },
  {
    id: 'evaluation',
    header: 'As expected',
    width: '7rem',
    cell: ({ evaluation }) =>
      evaluation && <StatusBadge text={evaluation.passed ? 'yes' : 'no'} tone={evaluation.passed ? 'good' : 'bad'} />,
    wideOnly: true,
  },
  {
    id: 'rating',
    header: 'Rating',
    width: '6rem',
    cell: ({ feedback }) => feedback?.rating && <StatusBadge text={feedback.rating} tone={TONES[feedback.rating]} />,
    wideOnly: true,
  },
  { id: 'feedback', header: 'Feedback', width: '6rem', cell: ({ feedback }) => feedback?.status ?? '', wideOnly: true },
  { id: 'error', header: 'Error', width: 'minmax(6rem, 2fr)', cell: ({ error }) => error ?? '', wideOnly: true },
];

const PAUSE_MS = 350;

/** Runs of the agent, by what became of them and what was said of them. */
export function RunsTab({ agent: { slug } }: { readonly agent: Agent }) {
  const { tab: _tab, file: _file, ...filters } = agentRoute.useSearch();
  const navigate = useNavigate({ from: '/agents/$id/' });
  const query = useInfiniteQuery(runsList(slug, filters));
  const change = (changed: { [name in keyof RunFilters]?: RunFilters[name] | undefined }) => {
    const all = Object.entries({ ...filters, ...changed }).filter(([, value]) => value !== undefined && value !== '');
    void navigate({ search: { tab: 'runs', ...(Object.fromEntries(all) as RunFilters) }, replace: true });
  };
  const typed = useDebouncedCallback(change, PAUSE_MS);
  const limited = query.data?.pages.some((page) => 'scanLimited' in page && page.scanLimited === true) ?? false;
  return (
    <>
      <Group mb="sm" align="flex-end" gap="sm">
        <Choice
          label="State"
          value={filters.status}
          options={EXECUTION_STATUSES}
          onChange={(status) => change({ status })}
        />
        <Choice
          label="Rating"
          value={filters.feedbackRating}
          options={RATINGS}
          onChange={(value) => change({ feedbackRating: choiceParam(value, RATINGS) })}
        />
        <Choice
          label="Feedback"
          value={filters.feedbackStatus}
          options={FEEDBACK_STATES}
          onChange={(value) => change({ feedbackStatus: choiceParam(value, FEEDBACK_STATES) })}
        />
        <TextInput
          label="Example"
          defaultValue={filters.exampleNameContains}
          onChange={(event) => typed({ exampleNameContains: event.currentTarget.value })}
        />
        <TextInput
          label="Batch"
          defaultValue={filters.batchId}
          onChange={(event) => typed({ batchId: event.currentTarget.value })}
        />
        <Button variant="default" onClick={() => void query.refetch()} loading={query.isRefetching}>
          Look again
        </Button>
      </Group>
      {limited && <p role="status">Only the newest runs were looked at: narrow the list to find older ones.</p>}
      <RecordList
        label="Runs"
        columns={COLUMNS}
        query={query}
        rowId={({ id }) => id}
        onOpen={({ id }) =>
          void navigate({
            to: '/agents/$id/executions/$execution',
            params: { id: slug, execution: id },
            search: {},
          })
        }
        empty={Object.keys(filters).length === 0 ? 'It has not been run yet.' : 'No run is like this.'}
      />
    </>
  );
}

function Choice({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly string[];
  readonly onChange: (value: string | undefined) => void;
}) {
  return (
    <NativeSelect
      label={label}
      value={value ?? ''}
      data={[{ value: '', label: 'Any' }, ...options]}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.value)}
    />
  );
}
