import { beforeAll, expect, test } from 'vitest';
import { useChromium } from '#test/support/chromium.ts';
import { useConsoleServer } from '#test/support/console-server.ts';
import { outOfReach } from '#test/support/out-of-reach.ts';
import { EXCEPTION, type Made, somethingEverywhere, visitEveryPage } from './every-page.ts';

const server = await useConsoleServer();
const chromium = useChromium();
/**
 * Time limit of a test, in milliseconds. It checks the accessibility of every page, which takes seconds a page on a
 * loaded machine.
 */
const PATIENCE_MS = 900_000;

let made: Made;
beforeAll(async () => {
  made = await somethingEverywhere(server);
}, 600_000);

test(
  'every page fits a phone without unreachable controls, and is accessible',
  async () => {
    const watched = await chromium.open({ phone: true });
    const wrong: string[] = [];
    await visitEveryPage(server, watched, made, async (address) => {
      const found = [...(await outOfReach(watched.page)), ...(await watched.inaccessible())];
      wrong.push(...found.map((one) => `${address}: ${one}`));
    });
    expect(wrong).toEqual([]);
    expect(watched.problems).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'rows of lists are distinguishable on a phone by host, program, time or subject',
  async () => {
    const watched = await chromium.open({ phone: true });
    const { page, problems } = watched;
    await server.visit(watched, 'admin', '/detections');
    const detections = page.getByRole('grid', { name: 'Detections' });
    const first = detections.locator('[data-index="0"]');
    await first.getByText('Instruction pointer probe', { exact: true }).waitFor();
    await first
      .getByText(/^\w+, edge-gw on demo, \d+ \w+ \d\d:\d\d, New$/)
      .filter({ visible: true })
      .waitFor();
    // The filters are behind a button, so that the list begins in the upper half of the screen.
    const filters = page.getByRole('search', { name: 'Filters' });
    await filters.getByLabel('Host').waitFor({ state: 'detached' });
    await filters.getByRole('button', { name: 'Filters' }).click();
    await filters.getByLabel('Host').waitFor();
    await filters.getByRole('button', { name: 'Filters' }).click();
    // The row has one button for all its values: a phone has neither room nor a pointer for a button next to each
    // value.
    const values = first.getByRole('button', { name: 'Actions for Instruction pointer probe: edge-gw on demo' });
    const box = await values.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(40);
    await values.click();
    await page.getByRole('menuitem', { name: 'Host: demo' }).click();
    expect(await watched.inaccessible()).toEqual([]);
    await page.getByRole('menuitem', { name: 'Filter out this value' }).click();
    await page.waitForURL(({ searchParams }) => searchParams.get('exclude.hostname') === 'demo');
    // Counts can be filtered too, with the search of the list.
    await page.goto(`${server.url}/detections`);
    await values.click();
    await page.getByRole('menuitem', { name: 'Crashes: 147' }).click();
    await page.getByRole('menuitem', { name: 'Filter for this or more' }).click();
    await page.waitForURL(({ searchParams }) => searchParams.get('q') === 'crashes>=147');
    await first.getByText('Instruction pointer probe', { exact: true }).waitFor();
    await page.goto(`${server.url}/exceptions`);
    const exception = page.getByRole('grid', { name: 'Exceptions' }).locator('[data-index="0"]');
    await exception.getByText(EXCEPTION.reason).filter({ visible: true }).waitFor();
    await page.goto(`${server.url}/hosts`);
    const hosts = page.getByRole('grid', { name: 'Hosts' }).locator('[data-index="0"]');
    await hosts.getByText('demo', { exact: true }).waitFor();
    await hosts.locator('time').filter({ visible: true }).waitFor();
    await page.goto(`${server.url}/approvals`);
    const waits = page.getByRole('grid', { name: 'Approvals' }).locator('[data-index="0"]');
    await waits.getByText('"hostname":"web-1"').filter({ visible: true }).waitFor();
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);
