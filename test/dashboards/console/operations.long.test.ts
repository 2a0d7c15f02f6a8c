import { expect, test } from 'vitest';
import { useChromium } from '#test/support/chromium.ts';
import { useConsoleServer } from '#test/support/console-server.ts';
import { waitFor } from '#test/support/wait-for.ts';

const server = await useConsoleServer();
const chromium = useChromium();
/** Time limit of a test, in milliseconds. An accessibility check of one page takes seconds on a loaded machine. */
const PATIENCE_MS = 300_000;

test(
  'an analyst finds a host, and sees its events over time, its detections and its programs',
  async () => {
    const watched = await chromium.open({ dark: true });
    const { page, problems } = watched;
    await server.visit(watched, 'analyst', '/hosts');
    const hosts = page.getByRole('grid', { name: 'Hosts' });
    await hosts.getByText('demo').waitFor();
    const byRisk = hosts.getByRole('columnheader', { name: 'Risk' });
    expect(await byRisk.getAttribute('aria-sort')).toBe('none');
    await byRisk.getByRole('button').click();
    await page.waitForURL(/sort=risk/);
    await hosts.getByText(/^\d+ (Critical|High|Moderate|Low|Minimal)$/).waitFor();
    expect(await byRisk.getAttribute('aria-sort')).toBe('descending');
    expect(await watched.inaccessible()).toEqual([]);

    await page.keyboard.press('/');
    await page.keyboard.type('no-such-host');
    await page.getByText('No host in this time range matches the filters.').waitFor();
    expect(page.url()).toContain('q=no-such-host');
    await page.getByLabel('Name').fill('DEM');
    await hosts.getByText('demo').waitFor();
    await page.getByLabel('Time').selectOption('7d');
    await page.waitForURL(/range=7d/);
    // Filters by a number from its menu, by keyboard. A button removes the filter.
    await hosts.locator('[data-index="0"]').focus();
    await hosts.getByRole('button', { name: 'Actions for 149' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Filter for this or more' }).press('Enter');
    await page.waitForURL(({ searchParams }) => searchParams.get('figures') === 'crashes>=149');
    const condition = page.getByRole('button', { name: 'Remove the filter Crashes ≥ 149' });
    await hosts.getByText('demo').waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await page.goto(page.url().replace('149', '150'));
    await page.getByText('No host in this time range matches the filters.').waitFor();
    await page.goBack();
    await condition.click();
    await page.waitForURL(({ searchParams }) => !searchParams.has('figures'));
    await hosts.locator('[data-index="0"]').press('Enter');

    await page.getByRole('heading', { name: 'Host demo' }).waitFor();
    expect(page.url()).toContain('range=7d');
    const programs = page.getByRole('grid', { name: 'Programs on the host' });
    await programs.getByText('edge-gw').waitFor();
    await page.getByRole('img', { name: /events in the last 7 days/ }).waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await page.getByRole('button', { name: 'As a table' }).click();
    await page.getByRole('columnheader', { name: 'Crashes' }).first().waitFor();
    await page.getByRole('grid', { name: 'Detections on the host' }).locator('[data-index="0"]').press('Enter');
    await page.waitForURL(/\/detections\/det_/);
    await page.goBack();
    await page.getByRole('link', { name: 'Show events' }).click();
    await page.waitForURL(/\/events\?.*hostname=demo/);
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'dead letters are shown as text and as bytes, downloaded, and retried: one, the selected ones, all that match',
  async () => {
    const refused = (body: unknown) => server.operator('POST', '/api/events', body).catch(() => {});
    await refused({ version: 'V1' });
    await refused({ version: 'V9', hidden: '\u202etxt' });
    await waitFor('the dead letters', async () => {
      const { data } = (await server.operator('GET', '/api/dead-letters')) as { data: object[] };
      return data.length >= 2 ? data : undefined;
    });
    const watched = await chromium.open();
    const { page, problems } = watched;
    await server.visit(watched, 'analyst', '/dead-letters');
    const letters = page.getByRole('grid', { name: 'Dead letters' });
    await letters.getByText('Unknown version').waitFor();
    expect(await watched.inaccessible()).toEqual([]);

    await letters.locator('[data-index="0"]').focus();
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Retry 2 selected' }).waitFor();
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await dialog.getByText('2 rejected again').waitFor();
    await dialog.getByText('Unknown version').waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).last().click();

    await page.getByLabel('Reason').selectOption('field_missing');
    await page.waitForURL(/code=field_missing/);
    await letters.getByText('Unknown version').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Download' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('dead-letters.csv');
    await page.getByRole('button', { name: 'Retry all matching' }).click();
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await dialog.getByText('1 rejected again').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.goto(`${server.url}/dead-letters?code=version_unknown`);
    await letters.locator('[data-index="0"]').click();

    await page.getByRole('heading', { name: /^Dead letter / }).waitFor();
    await page.getByRole('region', { name: 'Payload as text' }).getByText('\\u{202e}txt').waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await page.getByText('Bytes', { exact: true }).click();
    await page.getByRole('region', { name: 'Payload as hexadecimal bytes' }).getByText('e2 80 ae').waitFor();
    await page.keyboard.press('r');
    await dialog.getByText('Retries this dead letter.').waitFor();
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await dialog.getByText('1 rejected again').waitFor();
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);

const USER_RULE = `title: Crashes of the mail gateway
name: mailgw_crashes
description: The mail gateway crashes.
level: low
logsource: { product: linux, category: kernel_trap }
detection:
  selection: { procname: mailgw }
  condition: selection
`;

test(
  'an administrator tests settings of a rule before saving, and does not overwrite settings saved by another administrator',
  async () => {
    const watched = await chromium.open({ phone: true });
    const { page, problems } = watched;
    await server.operator('POST', '/api/user-rules', { source: USER_RULE });
    await server.visit(watched, 'admin', '/rules');
    await page.getByRole('link', { name: 'Instruction pointer probe' }).waitFor();
    const own = page.getByRole('article').filter({ hasText: 'User rule' });
    expect(await own.count()).toBe(1);
    await own.getByText('The mail gateway crashes.', { exact: true }).waitFor();
    await own.getByText('Low', { exact: true }).waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await own.getByRole('link', { name: 'Crashes of the mail gateway' }).press('Enter');
    await page.getByRole('heading', { name: 'Crashes of the mail gateway', level: 1 }).waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await page.goBack();
    await page.getByRole('link', { name: 'Instruction pointer probe' }).press('Enter');
    await page.getByRole('heading', { name: 'Instruction pointer probe' }).waitFor();
    const minDistinct = page.getByRole('textbox', { name: 'Minimum distinct addresses of a run without gaps' });
    await minDistinct.fill('many');
    await page.getByText('Enter a number').waitFor();
    await minDistinct.fill('1000');
    // One back-test runs and two are queued, which is the limit of one user. The back-test of another user is queued
    // too.
    const others = [1, 2, 3].map(() => server.operator('POST', '/api/user-rules/backtest', { source: USER_RULE }));
    const start = page.getByRole('button', { name: 'Run back-test' });
    const tests = page.getByRole('region', { name: 'Back-test', exact: true });
    await start.click();
    await tests.getByText(/in the queue|Running on stored events/).waitFor();
    await tests.getByRole('button', { name: /^(?:Cancel|Stop)$/ }).click();
    await tests.getByText('Back-test cancelled').waitFor();
    await start.click();
    expect(await Promise.all(others)).toMatchObject([{ complete: true }, { complete: true }, { complete: true }]);
    await page.getByText(/Detections in 30 days: \d+; current settings: \d+/).waitFor();
    await page.getByText(/^[\d,]+ events since/).waitFor();
    expect(await watched.inaccessible()).toEqual([]);

    await server.operator('PATCH', '/api/rules/instruction-pointer-probe', { thresholds: { maxGap: 128 } });
    await page.getByRole('button', { name: 'Save' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'Another user changed this rule' });
    await alert.getByRole('row', { name: 'maxGap 64 128' }).waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await alert.getByRole('button', { name: 'Apply my changes to the current settings' }).click();
    await page.getByText('Unsaved changes: minDistinct.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Instruction pointer probe saved').waitFor();
    const rule = (await server.operator('GET', '/api/rules/instruction-pointer-probe')) as {
      thresholds: { name: string; value: unknown }[];
    };
    const setTo = (name: string) => rule.thresholds.find((threshold) => threshold.name === name)?.value;
    expect([setTo('minDistinct'), setTo('maxGap')]).toEqual([1_000, 128]);
    await minDistinct.fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => minDistinct.inputValue()).toBe('3');
    expect(problems).toEqual([]);

    const reader = await chromium.open();
    await server.visit(reader, 'analyst', '/rules/instruction-pointer-probe');
    await reader.page.getByText('Only administrators can change thresholds.').waitFor();
    expect(await reader.inaccessible()).toEqual([]);
    expect(reader.problems).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'an exception is created after a preview, and removed',
  async () => {
    const watched = await chromium.open({ dark: true });
    const { page, problems } = watched;
    await server.visit(watched, 'admin', '/exceptions');
    await page.getByText('No exceptions. Create one').waitFor();
    await page.keyboard.press('n');
    await page.getByLabel('Host').fill('dem?');
    await page.getByLabel('Host').press('Enter');
    await page.getByText(/Matches 1 of/).waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await page.getByLabel('Reason').fill('the demonstration');
    await page.getByRole('button', { name: 'Create exception' }).click();

    const exceptions = page.getByRole('grid', { name: 'Exceptions' });
    await exceptions.getByText('host dem?').waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await exceptions.locator('[data-index="0"]').press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('the demonstration').waitFor();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByText('It silences host dem?').waitFor();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No exceptions. Create one').waitFor();
    await page.getByLabel('Show removed').press('Space');
    await exceptions.getByText('Removed').waitFor();
    expect(page.url()).toContain('ended=');
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);
