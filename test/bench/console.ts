import type { Browser } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { withApiProcess } from './api-process.ts';
import type { BenchContext } from './context.ts';
import { withFreshDatabase } from './fresh-database.ts';
import { type BenchRow, boundRow } from './row.ts';
import { median, percentile } from './statistics.ts';

const LOADS = 20;
const SLOW_LOADS = 5;
/** A slow line: bytes per second each way, and the time that an answer takes to come back. */
const SLOW_LINE = { downloadThroughput: 50_000, uploadThroughput: 50_000, latency: 100, offline: false };

interface Load {
  /** From the beginning of the navigation until the page's heading stood there. */
  readonly ms: number;
  /** Of all scripts, as they crossed the network. */
  readonly scriptBytes: number;
}

/** First loads of the console in Chromium with nothing kept: how long, how much script, and when something is painted on a slow line. */
export async function benchConsole({ clickHouse }: BenchContext): Promise<BenchRow[]> {
  return withFreshDatabase(clickHouse, ({ database }) =>
    withApiProcess(clickHouse, database, async ({ url }) => {
      const browser = await launchChromium();
      try {
        await load(browser, url); // the server reads its files once
        const loads: Load[] = [];
        for (let i = 0; i < LOADS; i += 1) loads.push(await load(browser, url));
        const paints: number[] = [];
        for (let i = 0; i < SLOW_LOADS; i += 1) paints.push(await firstPaint(browser, url));
        const times = loads.map(({ ms }) => ms);
        const details = [`median ${median(times).toFixed(0)} ms of ${LOADS} loads`];
        return [
          { ...boundRow('console: first load', 'ms p95', percentile(times, 0.95), 1_000), details },
          boundRow(
            'console: script of the first load',
            'kB',
            Math.max(...loads.map(({ scriptBytes }) => scriptBytes)) / 1_000,
            250,
          ),
          boundRow('console: first content at 50 kB/s', 'ms at most', Math.max(...paints), 1_500),
        ];
      } finally {
        await browser.close();
      }
    }),
  );
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

/** Milliseconds from the beginning of the navigation until Chromium painted the first content, on a slow line. */
async function firstPaint(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const protocol = await context.newCDPSession(page);
    await protocol.send('Network.enable');
    await protocol.send('Network.emulateNetworkConditions', SLOW_LINE);
    await page.goto(`${url}/`, { waitUntil: 'commit' });
    await page.getByRole('heading', { name: 'Sign in to Trapline' }).waitFor();
    return await page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0].startTime`);
  } finally {
    await context.close();
  }
}
