import { Stack } from '@mantine/core';
import type { Answer } from '../../api/client.ts';
import { BINARY_STEPS } from '../../parts/charts/axis-labels.ts';
import { type Series, TimeSeries } from '../../parts/charts/time-series.tsx';
import { bytesText, millisText, percentText } from './quantities.ts';
import { DASHBOARD_TEXT } from './text.ts';

const TEXT = DASHBOARD_TEXT.system;

type System = Answer<'get', '/api/dashboard/system'>;
type Sample = System['series'][number];

const LOAD: readonly Series<Sample>[] = [
  { label: TEXT.cpu, value: ({ cpuPercent }) => cpuPercent },
  { label: TEXT.eventLoop, value: ({ eventLoopPercent }) => eventLoopPercent },
];
const MEMORY: readonly Series<Sample>[] = [
  { label: TEXT.resident, value: ({ memoryBytes }) => memoryBytes },
  { label: TEXT.heap, value: ({ heapUsedBytes }) => heapUsedBytes },
];

/** Load and memory of the process that responded, which stores its samples in memory. */
export function SystemPanel({ found: { series, uptimeSeconds } }: { readonly found: System }) {
  const latest = series.at(-1);
  const uptime = TEXT.uptime(millisText(uptimeSeconds * 1_000));
  const load =
    latest === undefined
      ? TEXT.noSample
      : TEXT.latestLoad(percentText(latest.cpuPercent), percentText(latest.eventLoopPercent));
  return (
    <Stack gap="md">
      <TimeSeries
        title={TEXT.load}
        summary={uptime}
        description={[uptime, load].join(' ')}
        rows={series}
        series={LOAD}
        format={percentText}
      />
      <TimeSeries
        title={TEXT.memory}
        description={latest === undefined ? TEXT.noSample : TEXT.latestMemory(bytesText(latest.memoryBytes))}
        rows={series}
        series={MEMORY}
        format={bytesText}
        steps={BINARY_STEPS}
      />
    </Stack>
  );
}
