import { Button, Group, Loader, Paper, Table, Text, Title } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import type UPlot from 'uplot';
import { labelRoom, WHOLE_STEPS } from './axis-labels.ts';
import { HeadRow } from './head-row.tsx';
import { PARTS_TEXT } from './text.ts';
import { TIME_AXIS } from './time-axis.ts';
import { TimeText } from './time-text.tsx';
import { momentText } from './time-words.ts';

const TEXT = PARTS_TEXT.series;

const Plot = lazy(async () => ({ default: (await import('./plot.tsx')).Plot }));

export interface Series<Row> {
  readonly label: string;
  readonly value: (row: Row) => number | null;
}

/** Otherwise the axis of a series of zeros would have fractions. */
const LOWEST_TOP = 4;
const LEGEND_TIME = (seconds: number) => momentText(new Date(seconds * 1_000));

/** Series differ in colour and dashes; each has a contrast of 3:1 on both backgrounds. */
const STROKES = [
  { stroke: '#4c6ef5', dash: [] },
  { stroke: '#e8590c', dash: [8, 4] },
  { stroke: '#0ca678', dash: [2, 3] },
  { stroke: '#d6336c', dash: [12, 4, 2, 4] },
] as const;

/**
 * Values over time, as a plot or as a table. `rows` and `series` must be the same arrays between renderings while their content is the same.
 * `summary` is a sentence with the main values; `description` replaces it for screen readers.
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
        { label: TEXT.time, value: (_, seconds) => at(seconds) },
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
          {TEXT.asTable}
        </Button>
      </Group>
      {summary !== undefined && (
        <Text size="sm" c="dimmed" mb="xs">
          {summary}
        </Text>
      )}
      {asTable ? (
        <div className="tl-scroll" role="region" aria-label={TEXT.table(title)} tabIndex={0} style={{ height: 252 }}>
          <Table stickyHeader>
            <HeadRow columns={[TEXT.time, ...series.map(({ label }) => label)]} />
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
        <Suspense fallback={<Loader size="sm" aria-label={PARTS_TEXT.loadingPlot} />}>
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
