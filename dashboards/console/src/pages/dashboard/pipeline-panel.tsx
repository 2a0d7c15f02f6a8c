import { SimpleGrid } from '@mantine/core';
import type { Answer } from '../../api/client.ts';
import { SeverityBadge } from '../../parts/severity-badge.tsx';
import { type Series, TimeSeries } from '../../parts/time-series.tsx';
import { Breakdown } from './breakdown.tsx';
import { countedText, countText } from './quantities.ts';

type Pipeline = Answer<'get', '/api/dashboard/pipeline'>;
type Severity = Parameters<typeof SeverityBadge>[0]['severity'];

const SERIES: readonly Series<Pipeline['series'][number]>[] = [
  { label: 'Events', value: ({ events }) => events },
  { label: 'Dead letters', value: ({ deadLetters }) => deadLetters },
  { label: 'Detections', value: ({ detections }) => detections },
];

export function PipelinePanel({ found: { totals, series, codes, rules } }: { readonly found: Pipeline }) {
  const summary = `${countedText(totals.events, 'event')}, ${countedText(totals.deadLetters, 'dead letter')}, ${countedText(totals.detections, 'detection')}.`;
  return (
    <TimeSeries title="Pipeline" summary={summary} rows={series} series={SERIES} format={countText}>
      {/* By the room there is in the panel, not in the window: beside each other only where no column is cut off. */}
      <SimpleGrid type="container" cols={{ base: 1, '44rem': 2 }} spacing="xs">
        <Breakdown
          label="Rules that fired"
          rows={rules}
          rowId={({ rule, severity }) => `${rule} ${severity}`}
          columns={[
            ['Rule', ({ rule }) => rule],
            ['Severity', ({ severity }) => <SeverityBadge severity={severity as Severity} />],
            ['Detections', ({ detections }) => detections],
          ]}
          empty="No rule fired."
        />
        <Breakdown
          label="Why records were refused"
          rows={codes}
          rowId={({ code }) => code}
          columns={[
            ['Refused for', ({ code }) => code],
            ['Dead letters', ({ deadLetters }) => deadLetters],
          ]}
          empty="Nothing was refused."
        />
      </SimpleGrid>
    </TimeSeries>
  );
}
