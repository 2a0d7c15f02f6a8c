import { expect, test } from 'vitest';
import { createFineTime } from '#ingest/detector/lines/fine-time.ts';
import { bareLine } from '#ingest/detector/lines/kernel-line.ts';

type Row = readonly [realtime: string, uptime: number | null, hostname?: string];

function timesOf(rows: readonly Row[]): (string | null)[] {
  const fine = createFineTime();
  return rows.map(([realtime, uptime, hostname = null]) => {
    const line = {
      ...bareLine(''),
      realtime,
      monotonicUs: uptime === null ? null : Math.round(uptime * 1e6),
      hostname,
    };
    fine.refine(line);
    return line.realtime;
  });
}

test('the largest difference of time and uptime is the start of the machine', () => {
  // Started at 10:00:00.3.
  expect(
    timesOf([
      ['2024-01-05T10:00:10Z', 10.4],
      ['2024-01-05T10:00:12Z', 11.9],
      ['2024-01-05T10:00:12Z', 12.1],
      ['2024-01-05T10:00:14Z', 13.7],
      ['2024-01-05T10:00:15Z', 15.5],
    ]),
  ).toEqual([
    '2024-01-05T10:00:10Z',
    '2024-01-05T10:00:12Z',
    '2024-01-05T10:00:12.200000Z',
    '2024-01-05T10:00:14Z',
    '2024-01-05T10:00:15.800000Z',
  ]);
});

test('each host has a start of its own', () => {
  expect(
    timesOf([
      ['2024-01-05T10:00:10Z', 10, 'a'],
      ['2024-01-05T10:00:10Z', 500, 'b'],
      ['2024-01-05T10:00:11Z', 11.25, 'a'],
      ['2024-01-05T10:00:11Z', 501.5, 'b'],
    ]).slice(2),
  ).toEqual(['2024-01-05T10:00:11.250000Z', '2024-01-05T10:00:11.500000Z']);
});

test('a restart, and a clock that was set back, begin a new estimate', () => {
  expect(
    timesOf([
      ['2024-01-05T10:00:10Z', 1000],
      ['2024-01-05T10:05:00Z', 2],
      ['2024-01-05T10:05:01Z', 3.5],
      ['2024-01-05T09:00:00Z', 4],
      ['2024-01-05T09:00:01Z', 5.25],
    ]),
  ).toEqual([
    '2024-01-05T10:00:10Z',
    '2024-01-05T10:05:00Z',
    '2024-01-05T10:05:01.500000Z',
    '2024-01-05T09:00:00Z',
    '2024-01-05T09:00:01.250000Z',
  ]);
});

test('a time with a fraction, and one without an uptime, stay as they are', () => {
  expect(
    timesOf([
      ['2024-01-05T10:00:10Z', 10],
      ['2024-01-05T10:00:11.125Z', 11.5],
      ['2024-01-05T10:00:12+01:00', null],
    ]),
  ).toEqual(['2024-01-05T10:00:10Z', '2024-01-05T10:00:11.125Z', '2024-01-05T10:00:12+01:00']);
});
