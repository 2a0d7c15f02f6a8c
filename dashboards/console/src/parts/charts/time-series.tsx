import { Button, Group, Loader, Paper, Table, Text, Title } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import type UPlot from 'uplot';
import { HeadRow } from '../list/head-row.tsx';
import { PARTS_TEXT } from '../text.ts';
import { TimeText } from '../time/time-text.tsx';
import { momentText } from '../time/time-words.ts';
import { SERIES_COLORS } from '../tokens.ts';
import { labelRoom, WHOLE_STEPS } from './axis-labels.ts';
import { TIME_AXIS } from './time-axis.ts';

const TEXT = PARTS_TEXT.series;

const Plot = lazy(async () => ({ default: (await import('./plot.tsx')).Plot }));

export interface Series<Row> {
  readonly label: string;
  readonly value: (row: Row) => number | null;
}

/** Minimum of the axis maximum. Otherwise, the axis of an all-zero series would have fractions. */
const LOWEST_TOP = 4;

/** Series differ in colour and dashes. Each has a contrast of 3:1 on both backgrounds. */
const STROKES = [[], [8, 4], [2, 3], [12, 4, 2, 4]].map((dash, index) => ({
  stroke: SERIES_COLORS[index] ?? SERIES_COLORS[0],
  dash,
}));

/**
 * Values over time, as a plot or as a table. `rows` and `series` must be the same arrays between renderings if their
 * content is unchanged. `summary` is a sentence with the main values. `description` replaces it for screen readers.
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
  /** Formats a value, for the axis and the table. */
  readonly format?: (value: number) => string;
  /** Allowed steps of the axis. */
  readonly steps?: readonly number[];
  readonly children?: ReactNode;
}) {
  const [asTable, setAsTable] = useState(false);
  const { data, options, tip } = useMemo(() => {
    const shape: Omit<UPlot.Options, 'width' | 'height'> = {
      legend: { show: false },
      series: [{}, ...series.map(({ label }, index) => ({ label, width: 2, ...strokeOf(index) }))],
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
      tip(index: number) {
        const row = rows[index];
        if (row === undefined) return [];
        return [
          momentText(new Date(row.at)),
          ...series.map(({ label, value }) => TEXT.value(label, textOf(value(row), format))),
        ];
      },
    };
  }, [rows, series, format, steps]);

  return (
    <Paper withBorder p="sm" component="section" aria-label={title}>
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Title order={2} size="h5">
          {title}
        </Title>
        <Button
          size="compact"
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
        <SeriesTable title={title} rows={rows} series={series} format={format} />
      ) : rows.some((row) => series.some(({ value }) => (value(row) ?? 0) !== 0)) ? (
        <>
          <Suspense fallback={<Loader size="sm" aria-label={PARTS_TEXT.loadingPlot} />}>
            <Plot description={description} data={data} options={options} tip={tip} />
          </Suspense>
          <Legend labels={series.map(({ label }) => label)} />
        </>
      ) : (
        <div className="tl-no-data" role="img" aria-label={description}>
          <span aria-hidden>{TEXT.noData}</span>
        </div>
      )}
      {children}
    </Paper>
  );
}

/** All values, the latest first. */
function SeriesTable<Row extends { readonly at: string }>({
  title,
  rows,
  series,
  format,
}: {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly series: readonly Series<Row>[];
  readonly format: (value: number) => string;
}) {
  return (
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
  );
}

/** The legend below a plot: each series with its line style. */
function Legend({ labels }: { readonly labels: readonly string[] }) {
  return (
    <ul className="tl-legend">
      {labels.map((label, index) => (
        <li key={label}>
          <SeriesMark index={index} /> {label}
        </li>
      ))}
    </ul>
  );
}

function strokeOf(index: number) {
  const { stroke, dash } = strokeAt(index);
  // Shows a point only if no line connects it, because it would otherwise be invisible.
  return { stroke, dash: [...dash], points: { show: false, size: 5, fill: stroke, filter: lonePoints } };
}

function strokeAt(index: number) {
  return STROKES[index % STROKES.length] ?? { stroke: SERIES_COLORS[0], dash: [] };
}

/** The line style of a series in the legend: its colour and dashes. */
function SeriesMark({ index }: { readonly index: number }) {
  const { stroke, dash } = strokeAt(index);
  return (
    <svg width="22" height="8" aria-hidden="true">
      <line x1="0" y1="4" x2="22" y2="4" stroke={stroke} strokeWidth="2" strokeDasharray={dash.join(' ')} />
    </svg>
  );
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
