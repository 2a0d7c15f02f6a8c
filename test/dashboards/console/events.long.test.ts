import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { useChromium } from '#test/support/chromium.ts';
import { useConsoleServer } from '#test/support/console-server.ts';

const server = await useConsoleServer();
const chromium = useChromium();
/** Time limit of a test, in milliseconds. A test has many steps, each with a time limit of its own. */
const JOURNEY_MS = 120_000;
const HIGHEST = '18446744073709551615';
/** Id of a container, 64 hexadecimal digits. */
const CONTAINER = '3b8b55a8c6c2d2f4'.repeat(4);

/** Sends V1 text unchanged: its numbers have more digits than a JavaScript number can hold. */
async function send(text: string): Promise<void> {
  const key = (await readFile(path.join(server.process.dataDir, 'operator.key'), 'utf8')).trim();
  const response = await fetch(`${server.url}/api/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: text,
  });
  if (!response.ok) throw new Error(await response.text());
}

test(
  'an analyst narrows events by facets, by drawing in the plot and by keyboard, and downloads them',
  async () => {
    const watched = await chromium.open();
    const { page, problems } = watched;
    await server.visit(watched, 'analyst', '/events?range=1h');
    const plot = page.getByRole('img', { name: /^171 events over time/ });
    await plot.waitFor();
    const shown = page.getByRole('grid', { name: 'Events' }).getByText('0x401233').filter({ visible: true });
    await shown.first().waitFor();
    expect(await watched.inaccessible()).toEqual([]);

    await page.getByRole('group', { name: 'Type' }).getByRole('button', { name: 'Trap' }).click();
    await page.waitForURL(/type=LinuxKernelTrap/);
    await page.getByText(/^20 events in the last hour/).waitFor();
    await page.getByRole('button', { name: 'Remove the filter Type: Trap' }).click();
    await page.getByText(/^171 events/).waitFor();

    await plot.locator('canvas').waitFor();
    const box = await plot.locator('.u-over').boundingBox();
    if (box === null) throw new Error('the plot is not on the page');
    await page.mouse.move(box.x + box.width * 0.2, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.4, box.y + 12, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/from=.*to=/);
    await page.getByText('No matching events').waitFor();
    // The time range can also be set by keyboard: its ends are input fields.
    await page.getByLabel('To', { exact: true }).fill(new Date(Date.now() + 60_000).toISOString().slice(0, 19));
    await page.getByLabel('To', { exact: true }).press('Enter');
    await page.getByText('Total: 171').waitFor();

    // No key press is lost when keys arrive faster than rows are rendered.
    const rows = page.getByRole('grid', { name: 'Events' }).locator('[data-index]');
    await rows.first().focus();
    await page.evaluate(
      `for (let n = 0; n < 60; n += 1) document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))`,
    );
    await page.locator('[data-index="60"]:focus').waitFor();

    await page.getByLabel('Search', { exact: true }).fill('ip:0x401200..0x401240');
    await page.getByLabel('Search', { exact: true }).press('Enter');
    await page.waitForURL(/q=/);
    await page.getByRole('button', { name: 'Download' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'V1 events' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
    await page.getByText(`Total: ${lines.length}`).waitFor();
    expect(lines.every((line) => line.includes('"version":"V1"'))).toBe(true);
    expect(problems).toEqual([]);
  },
  JOURNEY_MS,
);

test(
  'one event is shown unchanged, with all digits, on a phone in dark mode',
  async () => {
    const text = `{"version":"V1","timestamp":"${new Date().toISOString()}","hostname":"digits","event":{"type":"LinuxKernelTrap","facility":"Kern","level":"Info","errcode":{"reason":"NoPageFound","access_type":"Read","access_mode":"User","use_of_reserved_bit":false,"instruction_fetch":false,"protection_keys_block_access":false},"ip":${HIGHEST},"sp":9007199254740993,"pid":7,"procname":"edge","trap":{"type":"Segfault","location":16},"process":{"executable":"/usr/sbin/edge","uid":33,"unit":"edge.service","container":{"id":"${CONTAINER}"}}}}`;
    await send(text);
    const watched = await chromium.open({ phone: true, dark: true });
    const { page, problems } = watched;
    await server.visit(watched, 'analyst', '/events?hostname=digits');
    const grid = page.getByRole('grid', { name: 'Events' });
    await grid.getByText('0xffffffffffffffff').waitFor();
    await grid.getByText(/^\d+ \w+ \d\d:\d\d:\d\d\.\d{3}$/).waitFor();
    await grid.getByText('edge on digits').waitFor();
    // All digits of the address are visible.
    const highest = grid.getByText('0xffffffffffffffff').filter({ visible: true });
    expect(
      await highest.evaluate(({ parentElement: line }) => line !== null && line.scrollWidth <= line.clientWidth),
    ).toBe(true);
    await page.getByRole('button', { name: 'Show types, hosts, programs and files' }).click();
    await page.getByRole('group', { name: 'Program' }).getByRole('button', { name: 'edge' }).waitFor();
    expect(await watched.inaccessible()).toEqual([]);

    await grid.getByRole('row', { selected: true }).press('Enter');
    await page.getByRole('heading', { name: 'Trap on digits', level: 1 }).waitFor();
    const indented = (await page.getByLabel('V1 event', { exact: true }).textContent()) ?? '';
    expect(indented).toContain('\n    "type": "LinuxKernelTrap",\n');
    expect(indented.replaceAll(/\n */g, '').replaceAll('": ', '":')).toBe(text);
    await page.getByText('0x20000000000001').waitFor();
    const facts = page.getByRole('region', { name: 'Facts' });
    await facts.getByRole('link', { name: '/usr/sbin/edge', exact: true }).waitFor();
    await facts.getByText('33', { exact: true }).waitFor();
    for (const value of ['Trap', 'digits', 'edge'])
      await facts.getByRole('button', { name: `Actions for ${value}`, exact: true }).waitFor();
    const narrowed = await facts.getByRole('link', { name: CONTAINER, exact: true }).getAttribute('href');
    expect(narrowed).toBe(`/events?container=${CONTAINER}`);
    expect(await watched.inaccessible()).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);

    await page.getByRole('link', { name: 'Events on this host ±1 min' }).click();
    await page.getByText('Total: 1').waitFor();
    expect(problems).toEqual([]);
  },
  JOURNEY_MS,
);

test(
  'a host name with bidirectional control characters cannot imitate another host on any page',
  async () => {
    const hostname = 'evil\u202egnp.exe';
    const shown = 'evil\\u{202e}gnp.exe';
    await send(
      JSON.stringify({
        version: 'V1',
        timestamp: new Date().toISOString(),
        hostname,
        event: { type: 'LinuxSuppressedCallback', facility: 'Kern', level: 'Warning', count: 3, function_name: 'x' },
      }),
    );
    const watched = await chromium.open();
    const { page, problems } = watched;
    await server.visit(watched, 'analyst', `/events?hostname=${encodeURIComponent(hostname)}`);
    const row = page.getByRole('grid', { name: 'Events' }).locator('[data-index="0"]');
    await row.getByText(shown, { exact: true }).waitFor();
    await page.getByRole('button', { name: `Remove the filter Host: ${shown}` }).waitFor();
    const checkText = async () =>
      expect(await page.evaluate('document.title + document.body.innerText')).not.toContain('\u202e');
    await checkText();
    await row.click();
    await page.getByRole('heading', { name: `Suppressed on ${shown}`, level: 1 }).waitFor();
    await page.getByLabel('V1 event', { exact: true }).getByText(shown).waitFor();
    await checkText();
    await page.goto(`${server.url}/hosts?q=evil`);
    await page.getByRole('grid', { name: 'Hosts' }).locator('[data-index="0"]').click();
    await page.getByRole('heading', { name: `Host ${shown}`, level: 1 }).waitFor();
    await checkText();
    expect(problems).toEqual([]);
  },
  JOURNEY_MS,
);

test(
  'a lost connection is shown, also when the browser reports it, and the page recovers',
  async () => {
    const watched = await chromium.open();
    const { page, context, problems } = watched;
    await server.visit(watched, 'analyst', '/events');
    const rows = page.getByRole('grid', { name: 'Events' }).locator('[data-index]');
    await rows.first().waitFor();
    await context.setOffline(true);
    await page.getByRole('group', { name: 'Type' }).getByRole('button', { name: 'Trap' }).click();
    const alert = page.getByRole('main').getByRole('alert').filter({ hasText: "Can't reach the server" });
    await alert.waitFor();
    // The list has stopped loading and shows the error too.
    await page.getByText('Loading events…').waitFor({ state: 'detached' });
    await context.setOffline(false);
    await rows.first().waitFor();

    // A page whose code is not loaded yet: the frame stays, and the page appears when the server is reachable again.
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Rules', exact: true }).click();
    await alert.waitFor();
    await alert.getByRole('button', { name: 'Retry' }).click();
    await alert.waitFor();
    await context.setOffline(false);
    await page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor();

    // The console starts although requests for its own files failed at first.
    await context.route('**/assets/*.js', (route) =>
      route.request().url().includes('/early-') ? route.continue() : route.abort(),
    );
    await page.goto(`${server.url}/hosts`);
    await page.getByRole('status').getByText("Can't reach the server. Retrying …").waitFor();
    await context.unroute('**/assets/*.js');
    await page.getByRole('heading', { name: 'Hosts', level: 1 }).waitFor();
    // The router logs the files that it could not load to the console of the browser.
    expect(problems.filter((problem) => !problem.startsWith('console: PageLoadError: '))).toEqual([]);
  },
  JOURNEY_MS,
);

test(
  'an unknown address shows the not-found page of the console, signed in or not',
  async () => {
    const { page, problems } = await chromium.open();
    for (const address of ['/nope', '/rule']) {
      const response = await page.goto(`${server.url}${address}`);
      expect(response?.status()).toBe(404);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    }
    const signedIn = await chromium.open();
    await server.visit(signedIn, 'analyst', '/nope');
    await signedIn.page.getByRole('heading', { name: 'Page not found' }).waitFor();
    const unexpected = [...problems, ...signedIn.problems].filter((problem) => !problem.includes('404'));
    expect(unexpected).toEqual([]);
  },
  JOURNEY_MS,
);
