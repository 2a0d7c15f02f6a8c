import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { EXECUTION_STATUSES } from '#schemas/api/execution-status.ts';
import { startedColumn, starterColumn, statusColumn } from '../../parts/execution/columns.tsx';
import { EXECUTION_TEXT } from '../../parts/execution/text.ts';
import { RecordList } from '../../parts/list/record-list.tsx';
import { RefreshButton } from '../../parts/refresh-button.tsx';
import { choiceParam } from '../../parts/search-params.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { valueColumns } from '../../parts/values/value-columns.tsx';
import { EVALUATION_TEXT } from './evaluation-text.ts';
import { type Agent, type AgentExecution, runsList } from './queries.ts';
import { AGENT_RUNS_TEXT } from './runs-text.ts';
import { FEEDBACK_STATES, RATINGS, type RunFilters } from './search.ts';

const TEXT = AGENT_RUNS_TEXT.runs;
const agentRoute = getRouteApi('/_signed-in/agents/$id/');

const TONES = { pass: 'good', fail: 'bad', partial: 'warning' } as const;

const COLUMNS = valueColumns<AgentExecution>({ titleOf: ({ id }) => id }, [
  {
    ...statusColumn(TEXT.columns.status, '8.5rem', { by: 'only', list: 'here' }),
    phoneLine: ({ createdAt }) => <TimeText at={createdAt} ago />,
  },
  startedColumn(TEXT.columns.started),
  { ...starterColumn(TEXT.columns.startedBy, 'minmax(7rem, 2fr)', { linksUsers: false }), wideOnly: false },
  {
    id: 'example',
    header: TEXT.columns.example,
    width: 'minmax(5.5rem, 1fr)',
    valuesOf: ({ exampleName }) => ({ name: 'example', value: exampleName }),
    wideOnly: true,
  },
  {
    id: 'evaluation',
    header: TEXT.columns.result,
    width: '7rem',
    valuesOf: ({ evaluation }) => ({ name: 'result', value: resultText(evaluation) }),
    cell: ({ evaluation }) =>
      evaluation?.passed != null && (
        <StatusBadge text={resultText(evaluation) ?? ''} tone={evaluation.passed ? 'good' : 'bad'} />
      ),
    wideOnly: true,
  },
  {
    id: 'rating',
    header: TEXT.columns.rating,
    width: '6rem',
    valuesOf: ({ feedback }) => ({
      name: 'feedbackRating',
      value: feedback?.rating,
      shown: TEXT.ratings[feedback?.rating ?? ''],
      by: 'only',
      list: 'here',
    }),
    cell: ({ feedback }) =>
      feedback?.rating && (
        <StatusBadge text={TEXT.ratings[feedback.rating] ?? feedback.rating} tone={TONES[feedback.rating]} />
      ),
    wideOnly: true,
  },
  {
    id: 'feedback',
    header: TEXT.columns.review,
    width: '7.5rem',
    valuesOf: ({ feedback }) => ({
      name: 'feedbackStatus',
      value: feedback?.status,
      shown: TEXT.reviews[feedback?.status ?? ''],
      by: 'only',
      list: 'here',
    }),
    wideOnly: 'large',
  },
  {
    id: 'error',
    header: TEXT.columns.error,
    width: 'minmax(6rem, 2fr)',
    valuesOf: ({ error }) => ({ name: 'error', value: error }),
    wideOnly: true,
  },
]);

function resultText(evaluation: AgentExecution['evaluation']): string | undefined {
  if (evaluation?.passed == null) return undefined;
  return evaluation.passed ? EVALUATION_TEXT.evaluation.pass : EVALUATION_TEXT.evaluation.fail;
}

const PAUSE_MS = 350;

/** Runs of the agent, filtered by status, rating and review. */
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
          label={TEXT.filters.status}
          value={filters.status}
          options={EXECUTION_STATUSES}
          labels={EXECUTION_TEXT.statuses}
          onChange={(status) => change({ status })}
        />
        <Choice
          label={TEXT.filters.rating}
          value={filters.feedbackRating}
          options={RATINGS}
          labels={TEXT.ratings}
          onChange={(value) => change({ feedbackRating: choiceParam(value, RATINGS) })}
        />
        <Choice
          label={TEXT.filters.review}
          value={filters.feedbackStatus}
          options={FEEDBACK_STATES}
          labels={TEXT.reviews}
          onChange={(value) => change({ feedbackStatus: choiceParam(value, FEEDBACK_STATES) })}
        />
        <TextInput
          label={TEXT.filters.example}
          defaultValue={filters.exampleNameContains}
          onChange={(event) => typed({ exampleNameContains: event.currentTarget.value })}
        />
        <TextInput
          label={TEXT.filters.batch}
          defaultValue={filters.batchId}
          onChange={(event) => typed({ batchId: event.currentTarget.value })}
        />
        <RefreshButton query={query}>{TEXT.refresh}</RefreshButton>
      </Group>
      {limited && <p role="status">{TEXT.limited}</p>}
      <RecordList
        label={TEXT.list}
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
        empty={Object.keys(filters).length === 0 ? TEXT.empty : TEXT.noMatch}
      />
    </>
  );
}

function Choice({
  label,
  value,
  options,
  labels,
  onChange,
}: {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly onChange: (value: string | undefined) => void;
}) {
  return (
    <NativeSelect
      label={label}
      value={value ?? ''}
      data={[
        { value: '', label: TEXT.filters.any },
        ...options.map((option) => ({ value: option, label: labels[option] ?? option })),
      ]}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.value)}
    />
  );
}
