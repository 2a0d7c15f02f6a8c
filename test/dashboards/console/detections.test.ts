import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { useChromium } from '#test/support/chromium.ts';
import { useConsoleServer } from '#test/support/console-server.ts';
import { outOfReach } from '#test/support/out-of-reach.ts';
import { probe } from '#test/support/probed-host.ts';

const server = await useConsoleServer();
const chromium = useChromium();
/** Time limit of a test, in milliseconds. A test has many steps, each with a time limit of its own. */
const JOURNEY_MS = 300_000;
/** Maximum size of the scripts of the first page, in bytes. */
const MAX_SCRIPT = 250_000;
const DEMO = 'Instruction pointer probe: edge-gw on demo';

async function detectionOf(hostname: string): Promise<{ id: string; status: string; verdict: string | null }> {
  const { data } = (await server.operator('GET', `/api/detections?hostname=${hostname}`)) as { data: never[] };
  if (data[0] === undefined) throw new Error(`nothing was detected on ${hostname}`);
  return data[0];
}

const FOCUSED_ROW = '[role="row"][aria-selected="true"]:focus';

test(
  'an analyst works through the list by keyboard while more detections arrive, saves filters and downloads a selection',
  async () => {
    const watched = await chromium.open();
    const { page, problems } = watched;
    const { username } = await server.visit(watched, 'analyst', '/detections');
    await page.getByRole('link', { name: DEMO }).waitFor();
    await page.getByRole('img', { name: /^1 detection over time/ }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    // The console renders the tooltip of a time only when the pointer is over it.
    await page.getByRole('grid', { name: 'Detections' }).locator('time').filter({ visible: true }).first().hover();
    await page.getByRole('tooltip').waitFor();
    await page.mouse.move(0, 0);
    await page.getByRole('tooltip').waitFor({ state: 'detached' });
    // Encoded size of all scripts that the first page loads, with its plot.
    const script = await page.evaluate<number>(
      `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
    );
    expect(script).toBeGreaterThan(0);
    expect(script).toBeLessThan(MAX_SCRIPT);
    expect(await watched.inaccessible()).toEqual([]);

    await server.operator('POST', '/api/events', probe('web-9'));
    await page.getByRole('button', { name: 'Show 1 new detection' }).click();
    await page.getByRole('link', { name: 'Instruction pointer probe: nginx on web-9' }).waitFor();

    await page.getByRole('heading', { name: 'Detections', level: 1 }).focus();
    await page.keyboard.press('j');
    const row = page.getByRole('row', { selected: true });
    await row.getByText('web-9', { exact: true }).waitFor();
    await page.keyboard.press('m');
    await row.getByText(username, { exact: true }).waitFor();
    await page.keyboard.press('a');
    await row.getByText('Acknowledged', { exact: true }).waitFor();
    await page.keyboard.press('j');
    await row.getByText('edge-gw', { exact: true }).waitFor();
    await page.keyboard.press('k');
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog', { name: /^Close Instruction pointer probe: nginx/ });
    await dialog.getByLabel(/^False positive/).check();
    await dialog.getByLabel('Note').fill('a crash test of ours');
    expect(await watched.inaccessible()).toEqual([]);
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    await row.getByText('False positive', { exact: true }).waitFor();
    expect(await detectionOf('web-9')).toMatchObject({
      status: 'closed',
      verdict: 'false_positive',
      assignee: username,
    });

    // The focus returns to the row when a dialog closes.
    await page.locator(FOCUSED_ROW).waitFor();
    await page.keyboard.press('e');
    await page.locator('textarea:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.locator(FOCUSED_ROW).waitFor();
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    const bulk = page.getByRole('toolbar', { name: 'Selected detections' });
    await bulk.getByText('2 selected').waitFor();
    // After a return from a detection the same row is focused and the same rows are selected. Keys act on the
    // selection.
    await row.getByText('edge-gw', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: DEMO, level: 1 }).waitFor();
    await page.goBack();
    await bulk.getByText('2 selected').waitFor();
    await row.getByText('edge-gw', { exact: true }).waitFor();
    await page.locator(FOCUSED_ROW).waitFor();
    await page.keyboard.press('a');
    await page.getByText('2 changed').waitFor();
    expect(await detectionOf('web-9')).toMatchObject({ status: 'acknowledged' });
    expect(await detectionOf('demo')).toMatchObject({ status: 'acknowledged' });

    await page.getByLabel('Host').fill('web-9');
    await page.getByLabel('Host').press('Enter');
    await page.waitForURL(/hostname=web-9/);
    await page.getByText('Total: 1').waitFor();
    await page.getByRole('button', { name: 'Save filters…' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('My web');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Download' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'NDJSON' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { hostname: string }).hostname)).toEqual(['web-9']);

    await page.goto(`${server.url}/detections`);
    await page.getByRole('button', { name: 'My web', exact: true }).click();
    await page.waitForURL(/hostname=web-9/);
    await page.getByLabel('Search', { exact: true }).fill('severity>');
    await page.getByLabel('Search', { exact: true }).press('Enter');
    await page.getByRole('alert').first().waitFor();
    await expect.poll(() => page.getByRole('main').getByRole('alert').count()).toBe(1);
    await page.getByRole('button', { name: 'Search syntax' }).click();
    await page.getByRole('dialog', { name: 'Search syntax' }).getByText('severity').waitFor();

    // The session ends elsewhere. The page must not stay on the screen.
    await watched.context.request.post(`${server.url}/api/auth/sign-out`);
    await page.getByText('Your session has ended').waitFor();
    expect(problems).toEqual([]);
  },
  JOURNEY_MS,
);

test(
  'the page of a detection shows story and evidence, and no concurrent decision overwrites another',
  async () => {
    const watched = await chromium.open({ dark: true });
    const { page, problems } = watched;
    const { id } = await detectionOf('demo');
    await server.operator('PATCH', `/api/detections/${id}`, { status: 'new' });
    await server.visit(watched, 'analyst', `/detections/${id}`);
    await page.getByRole('heading', { name: DEMO, level: 1 }).waitFor();
    // The plot shows no unlogged crashes: for each trap line that the kernel dropped, the register dump was logged.
    const plot = page.getByRole('img', { name: /mapping|crash/i }).first();
    await plot.waitFor();
    expect(await plot.getAttribute('aria-label')).not.toContain('unlogged');
    await page.getByRole('grid', { name: 'Evidence' }).getByText('0x401233').first().waitFor();
    await page.getByRole('link', { name: 'T1190' }).waitFor();
    const facts = page.getByRole('region', { name: 'Facts' });
    expect(await facts.getByRole('link', { name: 'demo', exact: true }).getAttribute('href')).toBe('/hosts/demo');
    // The capture holds 169 crash lines of 149 processes. 147 of them crashed after the attack began.
    for (const path of ['hosts', 'processes'])
      expect(await server.operator('GET', `/api/${path}?hostname=demo`)).toMatchObject({ data: [{ crashes: 149 }] });
    expect(await server.operator('GET', `/api/detections/${id}`)).toMatchObject({ crashes: 147 });
    const rule = facts.getByRole('link', { name: 'Instruction pointer probe' });
    expect(await rule.getAttribute('href')).toBe('/rules/instruction-pointer-probe');
    await facts
      .getByText(/:\d\d\.\d{3} UTC$/)
      .first()
      .waitFor();
    await page.getByText('Next steps').waitFor();
    await page.getByText('Whole mapping').click();
    await page.getByRole('region', { name: 'V1 event' }).getByRole('button', { name: 'Show' }).click();
    await page.getByText('"type": "RegisterProbe"').waitFor();
    expect(await watched.inaccessible()).toEqual([]);

    await server.operator('PATCH', `/api/detections/${id}`, { status: 'closed', verdict: 'benign' });
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('a');
    const conflict = page.getByRole('alert').filter({ hasText: 'changed this while you were editing' });
    await conflict.getByText('→ closed').waitFor();
    expect(await detectionOf('demo')).toMatchObject({ status: 'closed', verdict: 'benign' });
    expect(await watched.inaccessible()).toEqual([]);
    await conflict.getByRole('button', { name: 'Overwrite' }).click();
    await page.getByRole('region', { name: 'History' }).getByText('status closed → acknowledged').waitFor();

    await page.getByLabel('Note').fill('seen in the access log');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('note none → seen in the access log').waitFor();
    const change = { status: 'new', verdict: 'false_positive' };
    const reason = 'The requests come from the fuzzer \u202Eof this host';
    await server.operator('POST', `/api/detections/${id}/proposals`, { change, reason });
    await page.reload();
    const proposals = page.getByRole('region', { name: 'Proposed by an assistant' });
    await proposals.getByText('status acknowledged → new').waitFor();
    await proposals.getByText('verdict benign → false positive').waitFor();
    await proposals.getByText('\\u{202e}of this host').waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await proposals.getByRole('button', { name: 'Accept' }).click();
    await proposals.waitFor({ state: 'detached' });
    expect(await detectionOf('demo')).toMatchObject(change);
    await page.getByRole('region', { name: 'History' }).getByText('verdict benign → false positive').waitFor();

    await page.getByRole('button', { name: 'Create exception…' }).click();
    await page
      .getByRole('dialog', { name: 'Request exception' })
      .getByText('An administrator has to approve this exception')
      .waitFor();
    expect(problems).toEqual([]);
  },
  JOURNEY_MS,
);

test(
  'an administrator creates an exception from a detection after a preview, also on a phone',
  async () => {
    const watched = await chromium.open({ phone: true });
    const { page, problems } = watched;
    const { id } = await detectionOf('demo');
    await server.visit(watched, 'admin', '/detections');
    await page.getByRole('link', { name: DEMO }).click();
    await page.getByRole('heading', { name: DEMO, level: 1 }).waitFor();
    await page.getByRole('img', { name: /^ip in / }).waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);

    await page.getByRole('button', { name: 'Create exception…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create exception' });
    await dialog.getByText(/^Matches 1 of \d+ detections?/).waitFor();
    await dialog.getByLabel('Host').fill('nowhere');
    await dialog.getByText(/^Matches 0 of/).waitFor();
    await dialog.getByLabel('Host').fill('dem?');
    await dialog.getByText(/^Matches 1 of/).waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await dialog.getByLabel('Reason').fill('a demonstration');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Exception created. 1 open detection was silenced.').waitFor();
    await page.getByRole('main').getByText('Silenced', { exact: true }).waitFor();
    const { data } = (await server.operator('GET', '/api/exceptions')) as { data: object[] };
    expect(data).toMatchObject([{ hostname: 'dem?', program: 'edge-gw', reason: 'a demonstration', detection: id }]);
    expect(problems).toEqual([]);
  },
  JOURNEY_MS,
);

test(
  'list, page and navigation fit a phone, also in landscape',
  async () => {
    const watched = await chromium.open({ phone: true, dark: true });
    const { page, problems } = watched;
    await server.visit(watched, 'admin', '/detections');
    const detections = page.getByRole('grid', { name: 'Detections' });
    await detections.getByText('edge-gw').filter({ visible: true }).first().waitFor();
    expect(await outOfReach(page)).toEqual([]);
    expect(await watched.inaccessible()).toEqual([]);
    await page.goto(`${server.url}/detections/${(await detectionOf('demo')).id}`);
    await page.getByRole('heading', { name: DEMO, level: 1 }).waitFor();
    await page.getByRole('heading', { name: 'Evidence' }).first().waitFor();
    expect(await outOfReach(page)).toEqual([]);
    expect(await watched.inaccessible()).toEqual([]);
    const menu = page.getByRole('button', { name: 'Navigation' });
    const administration = page.getByRole('navigation', { name: 'Administration' });
    const last = administration.getByRole('link', { name: 'Audit log' });
    await menu.click();
    await administration.getByRole('button', { name: 'Administration', expanded: false }).click();
    await last.waitFor();
    expect(await outOfReach(page)).toEqual([]);
    expect(await watched.inaccessible()).toEqual([]);
    await last.click();
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
    const closed = page.locator('[aria-label="Navigation"][aria-expanded="false"]');
    await closed.waitFor();
    await menu.click();
    await last.press('Escape');
    await closed.waitFor();
    // A closed navigation cannot receive the focus.
    await last.focus();
    expect(await last.evaluate((link) => link.matches(':focus'))).toBe(false);

    await page.setViewportSize({ width: 844, height: 390 });
    await last.scrollIntoViewIfNeeded();
    // A list with many columns scrolls sideways next to the navigation, with its own scroll bar.
    expect((await outOfReach(page)).filter((found) => !found.startsWith('columns beyond'))).toEqual([]);
    expect(problems).toEqual([]);
  },
  JOURNEY_MS,
);
