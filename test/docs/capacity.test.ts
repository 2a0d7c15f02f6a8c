import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** The page without column padding and line breaks. */
const PAGE = readFileSync(fileURLToPath(new URL('../../docs/operations/capacity.md', import.meta.url)), 'utf8')
  .replaceAll(/ +\|/g, ' |')
  .replaceAll(/\s+/g, ' ');
const RATES = [10_000, 100_000, 1_000_000];
const RATE = 1_000_000;
const DAY = 86_400;
/** Planned maximum utilisation of processors and brokers (`ROOM`), and of a disk (`FILLED`). */
const ROOM = 0.6;
const FILLED = 0.7;
const PARTITIONS = 48;
const CORES = 2;

/** Values of the column "planned with" of the first table. */
const ingest = planned('`ingest`: read, validate, derive, send');
const thread = planned('of that, its lane thread: busy for 85 % of the time at 121,300 events a second');
const rules = planned('20 user rules that count crashes, in addition');
const server = planned('ClickHouse: one server, blocks of 20,000 to 33,000 events');
const replicas = rounded(
  server * planned('ClickHouse: three replicas of a shard together, against one server', 'times'),
);
const broker = planned('Kafka broker, one copy, read');
const copies = planned('Kafka brokers: three copies against one, sent and read', 'times');
const record = planned('bytes of an event in Kafka, not compressed', 'bytes');
const merged = planned('bytes of an event in ClickHouse, merged', 'bytes');
const landed = planned('bytes of an event in ClickHouse, as it landed', 'bytes');
const memory = planned('peak memory of an `ingest` process', 'MiB');
const rebuilt = planned('restart of an `ingest` process with 100,000 active programs', 's');

test('the costs on one machine', () => {
  const sum = rounded(ingest + server + broker);
  expectText(`${ingest} + ${server} + ${broker} = ${sum} µs on one machine`);
  expectText(`at ${thousands((CORES / sum) * RATE)} events a second, by these costs`);
  expectText(`${CORES} × ${ROOM} / ${sum} µs = ${number(down(((CORES * ROOM) / sum) * RATE))} events a second`);
  expect(thread).toBeCloseTo((0.85 / 121_300) * 1e6, 1);
});

test('cores', () => {
  const parts = {
    '`ingest`': ingest,
    'ClickHouse, all replicas, inserts': replicas,
    'ClickHouse, merges: as much as the inserts again (assumed)': replicas,
    'brokers, three copies: three times one copy': rounded(broker * copies),
  };
  for (const [part, cost] of Object.entries(parts)) expectText(row(part, cost, toBuy(cost)));
  const costs = Object.values(parts);
  const sum = rounded(costs.reduce((total, cost) => total + cost));
  expectText(
    row(
      'sum of busy cores',
      sum,
      costs.reduce((total, cost) => total + toBuy(cost), 0),
    ),
  );
  const withRules = rounded(ingest + rules);
  expectText(
    `${ingest} + ${rules} = ${withRules} µs. Buy ${toBuy(withRules)} cores for it instead of ${toBuy(ingest)}`,
  );
  const forWrites = 2 * toBuy(replicas);
  expectText(`${forWrites} cores for inserts and merges and ${forWrites} for queries`);
  expectText(`would fit on ${(2 * forWrites) / 8} servers`);
});

test('partitions and processes', () => {
  const most = down(RATE / thread);
  const oneThread = down(most * ROOM);
  expectText(
    `1 / ${thread.toFixed(1)} µs = ${number(most)} events a second, or ${number(oneThread)} with the room of ${ROOM}`,
  );
  expectText(`1,000,000 / ${number(oneThread)} = ${Math.ceil(RATE / oneThread)} partitions`);
  const average = Math.floor(RATE / PARTITIONS / 100) * 100;
  expectText(`the average is ${number(average)} events a second`);
  expect(Math.floor(oneThread / average)).toBe(4);
  const process = down(((CORES * ROOM) / ingest) * RATE);
  expectText(`2 × ${ROOM} / ${ingest} µs = ${number(process)} events a second`);
  expect(process).toBeLessThan(2 * oneThread);
  const processes = Math.ceil(RATE / process);
  expectText(`1,000,000 / ${number(process)} = ${processes} processes, and ${processes + 1} if one may be lost`);
  const all = processes + 1;
  expectText(
    `${all} processes have ${PARTITIONS / all} of 48 partitions each. If one process is lost, the others have at most ${Math.ceil(PARTITIONS / processes)}`,
  );
  expectText(`${all} × ${memory} MiB = ${(all * memory) / 1_024} GiB`);
  expectText(`A single host can therefore send about ${number(oneThread)} events a second`);
  expectText(
    `200 partitions with ${number(oneThread)} events a second each are ${number((200 * oneThread) / 1e6)},000,000`,
  );
  expectTakeover(RATE / all, processes);
});

test('bytes', () => {
  for (const rate of RATES) {
    const day = rate * DAY * merged;
    expectText(`| ${bytes(day)} | ${bytes(day * 90)} | ${bytes(day * 90 * 3)} |`);
  }
  const disk = 16 * FILLED;
  const shards = Math.ceil((RATE * DAY * merged * 90) / 1e12 / disk);
  expectText(`| 90 days | 575 / ${disk} = ${shards} | ${3 * shards} |`);
  const short = Math.ceil((RATE * DAY * merged * 7) / 1e12 / disk);
  expectText(`= ${short} | ${3 * short} |`);
  expectText(`1,000,000 × ${landed} bytes = ${landed} MB a second`);
  expectText(`1,000,000 × ${record} bytes = ${record} MB a second`);
  expectText(
    `the disks write ${number(3 * record)} MB a second, ${number(2 * record)} MB a second go between brokers, and ${record} MB`,
  );
  const brokers = rounded((3 * record) / 300);
  expectText(`300 = ${brokers}, so ${Math.ceil(brokers)} brokers, or ${Math.ceil(brokers / ROOM)} with the room`);
  const kept = (record * RATE * DAY) / 1e12;
  expectText(`${Math.round(kept)} TB a day, and three copies ${Math.round(3 * kept)} TB`);
  expectText(`6 hours are ${Math.round((3 * kept) / 4)} TB`);
});

test('blocks', () => {
  for (const [seconds, perSecond] of [
    [0.5, 96],
    [1.5, 32],
  ] as const)
    expect(PARTITIONS / seconds).toBe(perSecond);
  expectText(`96 blocks a second of ${number(Math.floor(RATE / 96 / 100) * 100)} events`);
  expectText(`32 blocks a second of ${number(down(RATE / 32))} events`);
});

/**
 * Checks the statements about the backlog after a process was killed, and about how fast the other processes read it.
 */
function expectTakeover(lost: number, others: number): void {
  const waiting = (10 + rebuilt) * lost;
  expectText(`At ${number(lost)} events a second, ${waiting / RATE} million events wait`);
  const receives = thousands(RATE / others);
  const takes = down((CORES / ingest) * RATE);
  expectText(`receives ${receives} events a second and can take ${number(takes)} on its two cores`);
  const spare = takes - Math.round(RATE / others / 1_000) * 1_000;
  expectText(`${others} × ${number(spare)} = ${number(others * spare)} events a second to spare`);
  expectText(`read the backlog in about ${Math.round(waiting / (others * spare))} s`);
}

function planned(cost: string, unit = 'µs'): number {
  const [, after = ''] = PAGE.split(`| ${cost} |`);
  const [, value = ''] = after.split(' |');
  const [amount = '', has] = value.trim().split(' ');
  if (has !== unit) throw new Error(`"${cost}" has no value in ${unit}: ${value}`);
  return Number(amount);
}

function row(part: string, cost: number, cores: number): string {
  const busy = RATES.map((rate) => significant((rate / RATE) * cost));
  return `| ${part} | ${cost} µs | ${busy.join(' | ')} | ${cores} |`;
}

/** Returns the number of cores to buy: each is busy for at most the share `ROOM` of the time. */
function toBuy(busy: number): number {
  return Math.ceil(rounded(busy / ROOM));
}

/** Formats with two decimals below 1, else with one. */
function significant(value: number): string {
  return value < 1 ? value.toFixed(2) : value.toFixed(1);
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Rounds down to full thousands. */
function down(value: number): number {
  return Math.floor(value / 1_000) * 1_000;
}

function thousands(value: number): string {
  return number(Math.round(value / 1_000) * 1_000);
}

function number(value: number): string {
  return value.toLocaleString('en');
}

/** Formats with one decimal below 10, else as a whole number. */
function bytes(value: number): string {
  const [amount, unit] = value < 1e12 ? [value / 1e9, 'GB'] : [value / 1e12, 'TB'];
  return `${amount < 10 ? amount.toFixed(1) : number(Math.round(amount))} ${unit}`;
}

function expectText(text: string): void {
  expect(PAGE.includes(text), `docs/operations/capacity.md says: ${text}`).toBe(true);
}
