import { Stack } from '@mantine/core';
import type { Answer } from '../../api/client.ts';
import { BINARY_STEPS } from '../../parts/axis-labels.ts';
import { type Series, TimeSeries } from '../../parts/time-series.tsx';
import { bytesText, millisText, percentText } from './quantities.ts';

type System = Answer<'get', '/api/dashboard/system'>;
type Sample = System['series'][number];

const LOAD: readonly Series<Sample>[] = [
  { label: 'CPU, of one core', value: ({ cpuPercent }) => cpuPercent },
  { label: 'Event loop busy', value: ({ eventLoopPercent }) => eventLoopPercent },
];
const MEMORY: readonly Series<Sample>[] = [
  { label: 'Resident', value: ({ memoryBytes }) => memoryBytes },
  { label: 'JavaScript heap', value: ({ heapUsedBytes }) => heapUsedBytes },
];

/** The process that answers; samples of it are kept while it runs. */
export function SystemPanel({ found: { series, uptimeSeconds } }: { readonly found: System }) {
  const latest = series.at(-1);
  const up = `The process that answers has run for ${millisText(uptimeSeconds * 1_000)}.`;
  return (
    <Stack gap="md">
      <TimeSeries
        title="Load of this process"
        summary={up}
        description={`${up} ${latest === undefined ? 'No sample yet.' : `CPU ${percentText(latest.cpuPercent)}, event loop ${percentText(latest.eventLoopPercent)} at last.`}`}
        rows={series}
        series={LOAD}
        format={percentText}
      />
      <TimeSeries
        title="Memory of this process"
        description={latest === undefined ? 'No sample yet.' : `${bytesText(latest.memoryBytes)} resident at last.`}
        rows={series}
        series={MEMORY}
        format={bytesText}
        steps={BINARY_STEPS}
      />
    </Stack>
  );
}
