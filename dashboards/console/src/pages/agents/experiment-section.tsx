import { Group, Loader, SimpleGrid, Stack, Switch, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { shareText, significantText } from '../../language/numbers.ts';
import { durationText } from '../../parts/execution/duration.ts';
import { EXECUTION_TEXT } from '../../parts/execution/text.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { HeadRow } from '../../parts/list/head-row.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { EVALUATION_TEXT } from './evaluation-text.ts';
import { type ExperimentResult, experimentQuery } from './experiment-queries.ts';
import { changeOf, pText } from './experiment-words.ts';
import { IntervalBar } from './interval-bar.tsx';

const TEXT = EVALUATION_TEXT.experiments;
const REFRESH_MS = 3_000;

type Comparison = ExperimentResult['comparison'];
type Row = ExperimentResult['rows'][number];

/** Result of an experiment, both versions next to each other. Refetched until all runs have ended. */
export function ExperimentSection({ agentId, id }: { readonly agentId: string; readonly id: string }) {
  const { data, error, refetch } = useQuery({
    ...experimentQuery(agentId, id),
    refetchInterval: ({ state }) => (state.data !== undefined && state.data.open === 0 ? false : REFRESH_MS),
  });
  if (data === undefined)
    return error ? (
      <FailureNotice error={error} onRetry={() => void refetch()} />
    ) : (
      <Loader aria-label={TEXT.loading} />
    );
  const { experiment, comparison, rows, open } = data;
  return (
    <Section
      title={experiment.name}
      actions={open > 0 ? <StatusBadge text={TEXT.open(open)} tone="active" /> : <Verdict comparison={comparison} />}
    >
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Rate label={TEXT.columns.baseline} version={experiment.baseline.version} rate={comparison.baseline} />
          <Rate label={TEXT.columns.candidate} version={experiment.candidate.version} rate={comparison.candidate} />
        </SimpleGrid>
        <Text size="sm" c="dimmed">
          {TEXT.pairs(comparison.onlyCandidate, comparison.onlyBaseline, comparison.both, comparison.neither)}{' '}
          {comparison.pValue !== null && TEXT.mcnemar(pText(comparison.pValue))}
        </Text>
        <Metrics metrics={comparison.metrics} />
        <Rows agentId={agentId} rows={rows} />
      </Stack>
    </Section>
  );
}

const TONES = {
  'candidate-better': 'good',
  'baseline-better': 'bad',
  'no-difference': 'neutral',
  'too-few': 'warning',
} as const;

function Verdict({ comparison: { verdict } }: { readonly comparison: Comparison }) {
  return <StatusBadge text={TEXT.verdicts[verdict]} tone={TONES[verdict]} />;
}

function Rate({
  label,
  version,
  rate: { passed, judged, rate, interval },
}: {
  readonly label: string;
  readonly version: number;
  readonly rate: Comparison['baseline'];
}) {
  return (
    <div>
      <Group justify="space-between" gap="xs" align="baseline">
        <Text size="sm">
          <b>{label}</b> {TEXT.version(version)}
        </Text>
        <Text size="xl" fw={600} className="tl-figures">
          {rate === null ? TEXT.none : shareText(rate)}
        </Text>
      </Group>
      {rate !== null && interval !== null && (
        <IntervalBar
          rate={rate}
          interval={interval}
          label={TEXT.interval(shareText(interval.low), shareText(interval.high))}
        />
      )}
      <Text size="xs" c="dimmed">
        {TEXT.passedOf(passed, judged)}
        {interval !== null && TEXT.intervalAfter(shareText(interval.low), shareText(interval.high))}
      </Text>
    </div>
  );
}

function Metrics({ metrics }: { readonly metrics: Comparison['metrics'] }) {
  const known = metrics.filter(({ pairs }) => pairs > 0);
  if (known.length === 0) return null;
  const text = (metric: string, value: number | null) =>
    value === null ? '' : metric === 'durationMs' ? durationText(value) : significantText(value, 3);
  return (
    <Table aria-label={TEXT.metrics} className="tl-figures">
      <HeadRow columns={[TEXT.metric, TEXT.columns.baseline, TEXT.columns.candidate, TEXT.difference]} />
      <Table.Tbody>
        {known.map(({ metric, baselineMean, candidateMean, pValue }) => (
          <Table.Tr key={metric}>
            <Table.Td>{TEXT.metricNames[metric]}</Table.Td>
            <Table.Td>{text(metric, baselineMean)}</Table.Td>
            <Table.Td>{text(metric, candidateMean)}</Table.Td>
            <Table.Td>{pValue === null ? '' : TEXT.permutation(pText(pValue))}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const CHANGE_TONES = { improved: 'good', regressed: 'bad', same: 'neutral', open: 'neutral' } as const;

function Rows({ agentId, rows }: { readonly agentId: string; readonly rows: readonly Row[] }) {
  const [onlyChanged, setOnlyChanged] = useState(false);
  const shown = onlyChanged ? rows.filter((row) => ['improved', 'regressed'].includes(changeOf(row))) : rows;
  return (
    <div>
      <Switch
        mb="xs"
        label={TEXT.onlyChanged}
        checked={onlyChanged}
        onChange={(event) => setOnlyChanged(event.currentTarget.checked)}
      />
      <Table aria-label={TEXT.results}>
        <HeadRow
          columns={[
            TEXT.columns.example,
            TEXT.columns.baseline,
            TEXT.columns.candidate,
            { label: TEXT.change, wideOnly: true },
          ]}
        />
        <Table.Tbody>
          {shown.map((row) => (
            <Table.Tr key={row.exampleName}>
              <Table.Td>{row.exampleName}</Table.Td>
              <Table.Td>
                <Run agentId={agentId} run={row.baseline} />
              </Table.Td>
              <Table.Td>
                <Run agentId={agentId} run={row.candidate} />
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <StatusBadge text={TEXT.changes[changeOf(row)]} tone={CHANGE_TONES[changeOf(row)]} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Run({ agentId, run }: { readonly agentId: string; readonly run: Row['baseline'] }) {
  if (run === null) return null;
  const { executionId, evaluation, status } = run;
  const failed = evaluation?.checks?.find(({ passed }) => passed === false);
  const [difference] = evaluation?.differences ?? [];
  const why = failed === undefined ? difference?.message : `${failed.name}: ${failed.message}`;
  return (
    <>
      <PageLink
        to="/agents/$id/executions/$execution"
        params={{ id: agentId, execution: executionId }}
        size="sm"
        className="tl-whole"
      >
        {evaluation === null || evaluation.passed === null
          ? (EXECUTION_TEXT.statuses[status] ?? status)
          : evaluation.passed
            ? EVALUATION_TEXT.evaluation.pass
            : EVALUATION_TEXT.evaluation.fail}
      </PageLink>
      {why !== undefined && (
        <Text size="xs" c="dimmed" lineClamp={2} visibleFrom="sm">
          {why}
        </Text>
      )}
    </>
  );
}
