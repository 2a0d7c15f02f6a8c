import { Loader, NativeSelect, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { numberText, significantText } from '../../language/numbers.ts';
import { FigureTiles } from '../../parts/charts/figure-tile.tsx';
import { durationText } from '../../parts/execution/duration.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { HeadRow } from '../../parts/list/head-row.tsx';
import { Section } from '../../parts/section.tsx';
import { visible } from '../../parts/visible.ts';
import { type Usage, usageQuery } from './experiment-queries.ts';
import type { Agent } from './queries.ts';
import { AGENTS_TEXT } from './text.ts';

const TEXT = AGENTS_TEXT.usage;
const PERIODS = ['now()-1d', 'now()-7d', 'now()-30d', 'now()-90d'] as const;

type Sums = Usage['total'];

/** Tokens and cost of the runs of a period, by version of the workspace and by model. */
export function UsageTab({ agent: { slug } }: { readonly agent: Agent }) {
  const [from, setFrom] = useState<string>('now()-30d');
  const { data, error, refetch } = useQuery(usageQuery(slug, from));
  return (
    <>
      <NativeSelect
        label={TEXT.period}
        w="12rem"
        mb="md"
        value={from}
        data={PERIODS.map((value) => ({ value, label: TEXT.periods[value] }))}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      {data === undefined ? (
        error ? (
          <FailureNotice error={error} onRetry={() => void refetch()} />
        ) : (
          <Loader aria-label={TEXT.loading} />
        )
      ) : (
        <Sums usage={data} />
      )}
    </>
  );
}

function Sums({ usage: { total, versions, models, scanLimited } }: { readonly usage: Usage }) {
  return (
    <>
      <FigureTiles
        label={TEXT.figures}
        figures={[
          { label: TEXT.runs, value: numberText(total.runs) },
          { label: TEXT.credits, value: creditsText(total), ...hintOf(total) },
          {
            label: TEXT.tokens,
            value: numberText(total.totalTokens),
            hint: TEXT.tokensHint(numberText(total.inputTokens), numberText(total.outputTokens)),
          },
          { label: TEXT.toolCalls, value: numberText(total.toolCalls) },
          {
            label: TEXT.duration,
            value: total.ended === 0 ? TEXT.noDuration : durationText(total.durationMs / total.ended),
          },
        ]}
      />
      {scanLimited && (
        <Text size="sm" c="dimmed" mb="sm">
          {TEXT.limited}
        </Text>
      )}
      <Section title={TEXT.byVersion}>
        <SumTable
          label={TEXT.byVersion}
          first={TEXT.version}
          rows={versions.map((row) => ({ ...row, name: String(row.version) }))}
        />
      </Section>
      <Section title={TEXT.byModel}>
        <SumTable
          label={TEXT.byModel}
          first={TEXT.model}
          rows={models.map((row) => ({ ...row, name: row.model === null ? TEXT.noModel : visible(row.model) }))}
        />
      </Section>
    </>
  );
}

function SumTable({
  label,
  first,
  rows,
}: {
  readonly label: string;
  readonly first: string;
  readonly rows: readonly (Sums & { readonly name: string })[];
}) {
  if (rows.length === 0) return <Text c="dimmed">{TEXT.empty}</Text>;
  return (
    <Table aria-label={label} className="tl-figures">
      <HeadRow
        columns={[
          first,
          TEXT.runs,
          { label: TEXT.input, wideOnly: true },
          { label: TEXT.output, wideOnly: true },
          TEXT.credits,
          { label: TEXT.perRun, wideOnly: true },
        ]}
      />
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.name}>
            <Table.Td>{row.name}</Table.Td>
            <Table.Td>{numberText(row.runs)}</Table.Td>
            <Table.Td visibleFrom="sm">{numberText(row.inputTokens)}</Table.Td>
            <Table.Td visibleFrom="sm">{numberText(row.outputTokens)}</Table.Td>
            <Table.Td>{creditsText(row)}</Table.Td>
            <Table.Td visibleFrom="sm">{perRunText(row)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function hintOf({ unpricedRuns }: Sums): { hint: string } | object {
  return unpricedRuns === 0 ? {} : { hint: TEXT.unpriced(unpricedRuns) };
}

function creditsText({ credits }: Sums): string {
  return credits === null ? TEXT.unknown : significantText(credits, 3);
}

function perRunText({ credits, ended, unpricedRuns }: Sums): string {
  const priced = ended - unpricedRuns;
  if (ended === 0) return '';
  return credits === null || priced === 0 ? TEXT.unknown : significantText(credits / priced, 3);
}
