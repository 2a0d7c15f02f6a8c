import type { Browser } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { type ApiProcess, withApiProcess } from './api-process.ts';
import { type Conditions, type ListLoad, loadList, SLOW_LINE, signIn, slowDown } from './console-list.ts';
import type { BenchContext } from './context.ts';
import { withFreshDatabase } from './fresh-database.ts';
import { generateDetections } from './generated-detections.ts';
import { type BenchRow, boundRow } from './row.ts';
import { median, percentile } from './statistics.ts';

const LOADS = 20;
const SLOW_LOADS = 5;
const LIST_LOADS = 9;
const DETECTIONS = 5_000;
/** CPU throttling of the page. Lighthouse uses the same factor for phones. */
const CPU_SLOWDOWN = 4;
interface Load {
  /** From the start of the navigation until the heading of the page appeared. */
  readonly ms: number;
  /** Bytes of all scripts as transferred. */
  readonly scriptBytes: number;
}

/** All loads come from one address within a minute or two. */
const MANY_REQUESTS = { TRAPLINE_LIMIT_ADDRESS: '99999/1s' };

/**
 * First loads of the console in Chromium with an empty cache: duration, size of scripts, and first paint on a slow
 * network.
 */
export async function benchConsole({ clickHouse }: BenchContext): Promise<BenchRow[]> {
  return withFreshDatabase(clickHouse, async (clickhouse) => {
    await generateDetections(clickhouse, DETECTIONS);
    return withApiProcess(
      clickHouse,
      clickhouse.database,
      async (api) => {
        const browser = await launchChromium();
        try {
          return [...(await signInRows(browser, api.url)), ...(await listRows(browser, api))];
        } finally {
          await browser.close();
        }
      },
      MANY_REQUESTS,
    );
  });
}

async function signInRows(browser: Browser, url: string): Promise<BenchRow[]> {
  await load(browser, url); // the server reads its files once
  const loads: Load[] = [];
  for (let i = 0; i < LOADS; i += 1) loads.push(await load(browser, url));
  const paints: number[] = [];
  for (let i = 0; i < SLOW_LOADS; i += 1) paints.push(await firstPaint(browser, url));
  const times = loads.map(({ ms }) => ms);
  const scriptBytes = Math.max(...loads.map(({ scriptBytes: bytes }) => bytes));
  return [
    {
      ...boundRow('console: first load', 'ms p95', percentile(times, 0.95), 1_000),
      details: [`median ${median(times).toFixed(0)} ms of ${LOADS} loads`],
    },
    boundRow('console: script of the first load', 'kB', scriptBytes / 1_000, 250),
    boundRow('console: first content at 50 kB/s', 'ms at most', Math.max(...paints), 1_500),
  ];
}

/** The list of detections, the first page of an analyst: on a slow processor and on a slow network. */
async function listRows(browser: Browser, api: ApiProcess): Promise<BenchRow[]> {
  const session = await signIn(browser, api);
  const measure = async (conditions: Conditions, times: number): Promise<ListLoad[]> => {
    const loads: ListLoad[] = [];
    for (let i = 0; i < times; i += 1) loads.push(await loadList(browser, api.url, session, conditions));
    return loads;
  };
  await measure({}, 1);
  const free = await measure({}, LIST_LOADS);
  const slow = await measure({ cpuSlowdown: CPU_SLOWDOWN }, LIST_LOADS);
  const narrow = await measure({ line: SLOW_LINE }, SLOW_LOADS);
  const text = (loads: readonly ListLoad[]) =>
    `medians: heading ${median(loads.map(({ heading }) => heading)).toFixed(0)} ms, rows ${median(loads.map(({ rows }) => rows)).toFixed(0)} ms, ` +
    `processor time of the page's thread ${median(loads.map(({ processor }) => processor)).toFixed(0)} ms`;
  const row = (name: string, loads: readonly ListLoad[], target: number | null): BenchRow => ({
    ...boundRow(name, 'ms, median', median(loads.map(({ rows }) => rows)), target),
    details: [
      text(loads),
      `slowest ${Math.max(...loads.map(({ rows }) => rows)).toFixed(0)} ms of ${loads.length} loads`,
    ],
  });
  return [
    row('console: list of detections with its rows, nothing cached', free, null),
    row(`console: the same, processor ${CPU_SLOWDOWN} times slower`, slow, 1_500),
    row('console: the same, 50 kB/s and 100 ms of delay', narrow, null),
  ];
}

async function load(browser: Browser, url: string): Promise<Load> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const begun = performance.now();
    await page.goto(`${url}/`, { waitUntil: 'commit' });
    await page.getByRole('heading', { name: 'Sign in to Trapline' }).waitFor();
    const ms = performance.now() - begun;
    const scriptBytes = await page.evaluate<number>(
      `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
    );
    if (scriptBytes === 0) throw new Error('the page was there without a script');
    return { ms, scriptBytes };
  } finally {
    await context.close();
  }
}

/** Milliseconds from the start of the navigation until Chromium painted the first content, on a slow network. */
async function firstPaint(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const protocol = await context.newCDPSession(page);
    await slowDown(protocol, SLOW_LINE);
    await page.goto(`${url}/`, { waitUntil: 'commit' });
    await page.getByRole('heading', { name: 'Sign in to Trapline' }).waitFor();
    return await page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0].startTime`);
  } finally {
    await context.close();
  }
}
