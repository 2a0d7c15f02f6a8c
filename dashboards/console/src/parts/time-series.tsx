import { Button, Group, Loader, Paper, Table, Text, Title } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import type UPlot from 'uplot';
import { labelRoom, WHOLE_STEPS } from './axis-labels.ts';
import { HeadRow } from './head-row.tsx';
import { TIME_AXIS } from './time-axis.ts';
import { TimeText } from './time-text.tsx';

const Plot = lazy(async () => ({ default: (await import('./plot.tsx')).Plot }));

export interface Series<Row> {
  readonly label: string;
  readonly value: (row: Row) => number | null;
}

/** Else the axis of a series of noughts would be cut into parts of one. */
const LOWEST_TOP = 4;
const LEGEND = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const LEGEND_TIME = (seconds: number) => LEGEND.format(seconds * 1_000);

/** Told apart by colour and by dashes; each reaches 3 to 1 on both backgrounds. */
const STROKES = [
  { stroke: '#4c6ef5', dash: [] },
  { stroke: '#e8590c', dash: [8, 4] },
  { stroke: '#0ca678', dash: [2, 3] },
  { stroke: '#d6336c', dash: [12, 4, 2, 4] },
] as const;

/**
 * Figures over time, as a plot or as a table. `rows` must be the same array from one rendering to the next while it holds the same; `series` likewise.
 * `summary` says the main figures in a sentence, for everyone; `description` to who can't see the plot, where that is another one.
 */
export function TimeSeries<Row extends { readonly at: string }>({
  title,
  summary,
  description = summary ?? title,
  rows,
  series,
  format = String,
  steps = WHOLE_STEPS,
  children,
}: {
  readonly title: string;
  readonly summary?: string;
  readonly description?: string;
  readonly rows: readonly Row[];
  readonly series: readonly Series<Row>[];
  /** Of a value, for the axis and the table. */
  readonly format?: (value: number) => string;
  /** By which the axis may go on. */
  readonly steps?: readonly number[];
  readonly children?: ReactNode;
}) {
  const [asTable, setAsTable] = useState(false);
  const { data, options } = useMemo(() => {
    const values = (_: unknown, value: number | null) => textOf(value, format);
    const at = (seconds: number | null) => textOf(seconds, LEGEND_TIME);
    const shape: Omit<UPlot.Options, 'width' | 'height'> = {
      series: [
        { value: (_, seconds) => at(seconds) },
        ...series.map(({ label }, index) => ({ label, value: values, width: 2, ...strokeOf(index) })),
      ],
      axes: [
        TIME_AXIS,
        { size: labelRoom, incrs: [...steps], values: (_, splits) => splits.map((split) => format(split)) },
      ],
      scales: { y: { range: (_, _min, max) => [0, Math.max(max * 1.05, LOWEST_TOP)] } },
    };
    return {
      data: [
        rows.map(({ at }) => Date.parse(at) / 1_000),
        ...series.map(({ value }) => rows.map((row) => value(row))),
      ] as [number[], ...(number | null)[][]],
      options: shape,
    };
  }, [rows, series, format, steps]);

  return (
    <Paper withBorder p="sm" component="section" aria-label={title}>
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Title order={2} size="h5">
          {title}
        </Title>
        <Button
          size="compact-xs"
          variant="default"
          style={{ flexShrink: 0 }}
          aria-pressed={asTable}
          onClick={() => setAsTable(!asTable)}
        >
          As a table
        </Button>
      </Group>
      {summary !== undefined && (
        <Text size="sm" c="dimmed" mb="xs">
          {summary}
        </Text>
      )}
      {asTable ? (
        <div className="tl-scroll" role="region" aria-label={`${title}, table`} tabIndex={0} style={{ height: 252 }}>
          <Table stickyHeader>
            <HeadRow columns={['Time', ...series.map(({ label }) => label)]} />
            <Table.Tbody>
              {rows.toReversed().map((row) => (
                <Table.Tr key={row.at}>
                  <Table.Th scope="row" fw={400}>
                    <TimeText at={row.at} />
                  </Table.Th>
                  {series.map(({ label, value }) => (
                    <Table.Td key={label}>{textOf(value(row), format)}</Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      ) : (
        <Suspense fallback={<Loader size="sm" aria-label="Loading the plot" />}>
          <Plot description={description} data={data} options={options} />
        </Suspense>
      )}
      {children}
    </Paper>
  );
}

function strokeOf(index: number) {
  const { stroke, dash } = STROKES[index % STROKES.length] ?? STROKES[0];
  // Points only where no line leads to or from: it would be nothing to see.
  return { stroke, dash: [...dash], points: { show: false, size: 5, fill: stroke, filter: lonePoints } };
}

function lonePoints(plot: UPlot, seriesIndex: number): number[] {
  const values = plot.data[seriesIndex] ?? [];
  return [...values.keys()].filter(
    (index) => values[index] != null && values[index - 1] == null && values[index + 1] == null,
  );
}

function textOf(value: number | null, format: (value: number) => string): string {
  return value === null ? '–' : format(value);
}
