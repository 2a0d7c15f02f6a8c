import { SimpleGrid } from '@mantine/core';
import type { Answer } from '../../api/client.ts';
import { useRuleTitle } from '../../api/rules.ts';
import { type Series, TimeSeries } from '../../parts/charts/time-series.tsx';
import { rejectionText } from '../../parts/rejection-text.ts';
import { SeverityText } from '../../parts/severity-text.tsx';
import { Breakdown } from './breakdown.tsx';
import { countText } from './quantities.ts';
import { DASHBOARD_TEXT } from './text.ts';

const TEXT = DASHBOARD_TEXT.pipeline;

type Pipeline = Answer<'get', '/api/dashboard/pipeline'>;
type Severity = Parameters<typeof SeverityText>[0]['severity'];

const SERIES: readonly Series<Pipeline['series'][number]>[] = [
  { label: TEXT.series.events, value: ({ events }) => events },
  { label: TEXT.series.deadLetters, value: ({ deadLetters }) => deadLetters },
  { label: TEXT.series.detections, value: ({ detections }) => detections },
];

export function PipelinePanel({ found: { totals, series, codes, rules } }: { readonly found: Pipeline }) {
  const titleOf = useRuleTitle();
  const summary = TEXT.summary(totals.events, totals.deadLetters, totals.detections);
  return (
    <TimeSeries
      title={DASHBOARD_TEXT.panels.pipeline}
      summary={summary}
      rows={series}
      series={SERIES}
      format={countText}
    >
      {/* Container query: two columns only if the panel is wide enough, whatever the width of the window. */}
      <SimpleGrid type="container" cols={{ base: 1, '44rem': 2 }} spacing="xs">
        <Breakdown
          label={TEXT.rules}
          rows={rules}
          rowId={({ rule, severity }) => `${rule} ${severity}`}
          columns={[
            [TEXT.rule, ({ rule }) => titleOf(rule)],
            [TEXT.severity, ({ severity }) => <SeverityText severity={severity as Severity} />],
            [TEXT.detections, ({ detections }) => detections],
          ]}
          empty={TEXT.noDetections}
        />
        <Breakdown
          label={TEXT.rejections}
          rows={codes}
          rowId={({ code }) => code}
          columns={[
            [TEXT.reason, ({ code }) => rejectionText(code)],
            [TEXT.deadLetters, ({ deadLetters }) => deadLetters],
          ]}
          empty={TEXT.noRejections}
        />
      </SimpleGrid>
    </TimeSeries>
  );
}
