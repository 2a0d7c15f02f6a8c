import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { useChromium } from '#test/support/chromium.ts';
import { useConsoleServer } from '#test/support/console-server.ts';
import { randomName } from '#test/support/random-name.ts';

const server = await useConsoleServer();
const chromium = useChromium();
/** Time limit of a test, in milliseconds. An accessibility check of one page takes seconds on a loaded machine. */
const PATIENCE_MS = 300_000;

test(
  'an administrator creates an account, sets its role and expiry, disables and enables it',
  async () => {
    const watched = await chromium.open();
    const { page, problems } = watched;
    const me = await server.visit(watched, 'admin', '/admin/users');
    const rows = page.getByRole('grid', { name: 'Users' }).locator('[data-index]');
    await rows.filter({ hasText: me.email }).waitFor();
    expect(await watched.inaccessible()).toEqual([]);

    const username = randomName('made').slice(0, 32);
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'E-mail address' }).waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await page.keyboard.type(`${username}@example.org`);
    await dialog.getByLabel('User name').fill(me.username);
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('User name').fill(username);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `User ${username}` }).waitFor();
    expect(await watched.inaccessible()).toEqual([]);

    await page.getByLabel('Role').selectOption('analyst');
    await page.getByRole('button', { name: 'Change role' }).click();
    await dialog.getByText('The role changes from User to Analyst').waitFor();
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await page.getByRole('row', { name: 'Role Analyst' }).waitFor();

    await page.getByLabel('Expires').fill('2035-01-02T03:04');
    await page.getByRole('button', { name: 'Set expiry' }).click();
    await dialog.getByRole('button', { name: 'Set expiry' }).click();
    await page.getByRole('button', { name: 'Remove expiry' }).click();
    await page.getByRole('row', { name: 'Expires never' }).waitFor();

    await page.getByRole('button', { name: 'Create password link' }).click();
    await dialog.getByRole('button', { name: 'Send by e-mail' }).click();
    await dialog.getByText(`Link sent to ${username}@example.org`).waitFor();
    await server.mailbox.find(`${username}@example.org`, /\/auth\/reset-password\?(token)=/);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Create password link' }).click();
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.getByText(/\/auth\/reset-password\?token=[\w-]{43}$/).waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await dialog.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('button', { name: 'Disable user' }).click();
    await dialog.getByRole('button', { name: 'Disable user' }).click();
    await page.getByRole('row', { name: 'State Disabled' }).waitFor();
    await page.getByRole('button', { name: 'Enable user' }).click();
    await page.getByRole('row', { name: 'State Active' }).waitFor();

    await page.getByRole('main').getByRole('link', { name: 'Audit log' }).click();
    await page.waitForURL(/target=user/);
    await page.getByRole('grid', { name: 'Audit log entries' }).getByText('user.create').waitFor();
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'the audit log shows values before and after, filters from an entry, and verifies its chain',
  async () => {
    const watched = await chromium.open();
    const { page, problems } = watched;
    const { id } = await server.account('analyst');
    await server.operator('POST', `/api/admin/users/${id}/disable`);
    await server.visit(watched, 'admin', `/admin/audit-log?target=user%3A${id}`);
    const dialog = page.getByRole('dialog');
    const entries = page.getByRole('grid', { name: 'Audit log entries' }).locator('[data-index]');
    await entries.nth(1).waitFor();
    expect(await page.getByLabel('Target').inputValue()).toBe(`user:${id}`);
    expect(await watched.inaccessible()).toEqual([]);
    // The newest entry is first: the account was disabled after its role was changed.
    await entries.first().focus();
    await page.keyboard.press('j');
    await page.locator('[data-index="1"]:focus').waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByRole('row', { name: 'role user analyst' }).waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await dialog.getByRole('button', { name: 'All by operator' }).click();
    await page.waitForURL(/actor=operator/);
    expect(await page.getByLabel('Target').inputValue()).toBe('');

    await page.getByRole('button', { name: 'Verify audit log' }).click();
    await dialog.getByLabel('Previous checkpoint (optional)').press('Enter');
    const head = (await dialog.getByRole('region', { name: 'Checkpoint' }).textContent()) ?? '';
    expect(head).toMatch(/^\d+:[0-9a-f]{64}$/);
    expect(await watched.inaccessible()).toEqual([]);
    await dialog.getByLabel('Previous checkpoint (optional)').fill(head.replace(/[0-9a-f]{8}$/, '00000000'));
    await page.keyboard.press('Enter');
    await dialog.getByText('Audit log changed').waitFor();
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'users are found by keyboard and by the address; the key of another user is revoked',
  async () => {
    const watched = await chromium.open();
    const { page, problems } = watched;
    const { id, username, email } = await server.account('analyst');
    const { apiKey } = (await server.operator('POST', `/api/admin/users/${id}/api-keys`, { label: 'lost laptop' })) as {
      apiKey: string;
    };
    await server.visit(watched, 'admin', '/admin/users?role=analyst');
    const rows = page.getByRole('grid', { name: 'Users' }).locator('[data-index]');
    await rows.first().waitFor();
    expect(await page.getByLabel('Role').inputValue()).toBe('analyst');
    await page.keyboard.press('/');
    await page.keyboard.type(email);
    await page.waitForURL(/q=/);
    await rows.filter({ hasText: email }).waitFor();
    await rows.nth(1).waitFor({ state: 'detached' });
    await rows.first().press('Enter');
    await page.getByRole('heading', { name: `User ${username}` }).waitFor();

    await page
      .getByRole('grid', { name: `Keys of ${username}` })
      .getByText('lost laptop')
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    await page
      .getByRole('grid', { name: `Keys of ${username}` })
      .getByText('revoked')
      .waitFor();
    const refused = await fetch(`${server.url}/api/v1/workflows`, { headers: { 'x-api-key': apiKey } });
    expect(refused.status).toBe(401);
    await page.goBack();
    await rows.filter({ hasText: email }).waitFor();
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'a host is enrolled with the command of the console, listed with its reports, and revoked',
  async () => {
    const watched = await chromium.open();
    const { page, problems } = watched;
    await server.visit(watched, 'admin', '/admin/detectors');
    await page.getByText('No hosts are enrolled').waitFor();
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Host name (optional)').fill('web-7');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const command = (await dialog.getByRole('region', { name: 'Enrolment command' }).textContent()) ?? '';
    expect(await watched.inaccessible()).toEqual([]);
    expect(command).toContain(`enroll ${server.url} tld_`);
    const token = /tld_\S+/.exec(command)?.[0];
    const { apiKey } = (await server.operator('POST', '/api/detectors/enrolment', { token, hostname: 'web-7' })) as {
      apiKey: string;
    };
    const settings = { 'kernel.print-fatal-signals': '1' };
    const body = { version: '0.1.0', source: '/dev/kmsg', lagMs: 90_000, lostRecords: 3, settings, hostname: 'web-7' };
    const report = () =>
      fetch(`${server.url}/api/detectors/status`, {
        method: 'PUT',
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await report()).status).toBe(204);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.reload();

    const row = page.getByRole('grid', { name: 'Detectors' }).locator('[data-index="0"]');
    await row.filter({ hasText: 'web-7' }).waitFor();
    for (const text of ['Lost events', '1 min 30 s', 'print-fatal-signals=1'])
      await row.getByText(text, { exact: true }).waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await row.click();
    await dialog.getByText('kernel.print-fatal-signals = 1').waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke detector' }).click();
    await page.getByText('No hosts are enrolled').waitFor();
    expect((await report()).status).toBe(401);
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'an analyst requests an exception, another user approves it; the policy then lets analysts create exceptions',
  async () => {
    const { data } = (await server.operator('GET', '/api/detections?hostname=demo')) as { data: { id: string }[] };
    const analyst = await chromium.open();
    const { username } = await server.visit(analyst, 'analyst', `/detections/${data[0]?.id}`);
    const openDialog = () => analyst.page.getByRole('button', { name: 'Create exception…' }).click();
    await openDialog();
    const form = analyst.page.getByRole('dialog', { name: 'Request exception' });
    await form.getByText(/^Matches 1 of/).waitFor();
    await form.getByLabel('Reason').fill('a demonstration');
    expect(await analyst.inaccessible()).toEqual([]);
    await form.getByRole('button', { name: 'Send request' }).click();
    await analyst.page.getByText('Request sent. An administrator has to approve it').waitFor();
    expect(await server.operator('GET', '/api/exceptions')).toMatchObject({ data: [] });

    const admin = await chromium.open({ phone: true, dark: true });
    const { page } = admin;
    await server.visit(admin, 'admin', '/exceptions');
    // The navigation, which is hidden on a phone, shows the number of open requests.
    const entry = page.locator('nav a[href="/exceptions"]');
    await expect.poll(() => entry.textContent()).toContain('(1 open)');
    await page.getByRole('tab', { name: 'Requests (1)' }).click();
    const requests = page.getByRole('grid', { name: 'Exception requests' });
    await requests.getByText(/^Instruction pointer probe, program edge-gw/).waitFor();
    expect(await admin.inaccessible()).toEqual([]);
    // On a phone a row has one menu for all its values, because a cell can hold several.
    await requests.getByRole('button', { name: /^Actions for .*program edge-gw/ }).click();
    await page.getByRole('menuitem', { name: 'Program: edge-gw' }).click();
    await page.getByRole('menuitem', { name: 'Open program' }).waitFor();
    expect(await admin.inaccessible()).toEqual([]);
    await page.keyboard.press('Escape');
    await requests.locator('[data-index="0"]').press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Exception request' });
    await dialog.getByText(`by ${username}`).waitFor();
    await dialog.getByText(/^Matches 1 of/).waitFor();
    await dialog.getByLabel('Reason for the decision').fill('a known demonstration');
    expect(await admin.inaccessible()).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Request approved. 1 open detection was silenced.').waitFor();
    await page.getByText('No open requests.').waitFor();
    await expect.poll(() => entry.textContent()).not.toContain('open');

    await page.getByRole('tab', { name: 'Exceptions' }).click();
    const exceptions = page.getByRole('grid', { name: 'Exceptions' });
    await exceptions.getByText('program edge-gw').waitFor();
    await exceptions.getByRole('button', { name: /^Actions for .*program edge-gw/ }).click();
    await page.getByRole('menuitem', { name: 'Rule: Instruction pointer probe' }).click();
    await page.getByRole('menuitem', { name: 'Open rule' }).click();
    await page.waitForURL(/\/rules\/instruction-pointer-probe/);
    await page.goBack();
    await exceptions.getByText('program edge-gw').waitFor();
    await page.getByLabel('Analysts create exceptions without approval').press('Space');
    await page.getByText('Analysts can now create exceptions').waitFor();
    expect(await admin.inaccessible()).toEqual([]);

    await analyst.page.reload();
    await analyst.page.getByRole('main').getByText('Silenced', { exact: true }).waitFor();
    await openDialog();
    const created = analyst.page.getByRole('dialog', { name: 'Create exception' });
    await created.getByLabel('Program').fill('fuzz-*');
    await created.getByLabel('Reason').fill('a fuzzing job');
    await created.getByRole('button', { name: 'Create', exact: true }).click();
    await analyst.page.getByText('Exception created. No open detection matches it.').waitFor();
    const { data: held } = (await server.operator('GET', '/api/exceptions')) as { data: { id: string }[] };
    for (const { id } of held) await server.operator('DELETE', `/api/exceptions/${id}`);
    await server.operator('PATCH', '/api/exceptions/policy', { analysts: 'request' });
    expect([...analyst.problems, ...admin.problems]).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'the system page draws plots with tables below them; its live feed shows requests, filters by type, and pauses',
  async () => {
    const watched = await chromium.open();
    const { page, problems } = watched;
    await server.visit(watched, 'admin', '/dashboard?range=1h');
    await page.getByRole('region', { name: 'Process memory' }).getByRole('img').waitFor();
    const pipeline = page.getByRole('region', { name: 'Pipeline', exact: true });
    await pipeline.getByText(/[\d.K]+ events, \d+ dead letters?, \d+ detections?\./).waitFor();
    await pipeline.getByText('Instruction pointer probe').waitFor();
    // All columns of the table are visible: it does not scroll sideways.
    const fired = pipeline.getByRole('region', { name: 'Detections by rule' });
    expect(await fired.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    expect(await watched.inaccessible()).toEqual([]);
    await pipeline.getByRole('button', { name: 'As a table' }).press('Enter');
    await pipeline.getByRole('columnheader', { name: 'Dead letters' }).first().waitFor();
    expect(await watched.inaccessible()).toEqual([]);

    await page.getByRole('tab', { name: 'Live feed' }).click();
    await page.getByText('Live', { exact: true }).waitFor();
    const feed = page.getByRole('log');
    const asked = (name: string) => server.operator('GET', `/api/hosts?hostname=${name}`);
    await asked('first');
    await lines(feed).first().waitFor();
    expect(await watched.inaccessible()).toEqual([]);

    await page.keyboard.press('p');
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    const shown = await lines(feed).count();
    await asked('second');
    await page.getByText(/Paused: [1-9]\d* new/).waitFor();
    expect(await lines(feed).count()).toBe(shown);
    await page.keyboard.press('p');
    await lines(feed).nth(shown).waitFor();

    await page.getByLabel('Requests').uncheck();
    await lines(feed).first().waitFor({ state: 'hidden' });
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);

function lines(feed: Locator): Locator {
  return feed.getByText('/api/hosts');
}

test(
  'an administrator removes the demo data and replays it from the first steps',
  async () => {
    const watched = await chromium.open();
    const { page, problems } = watched;
    await server.visit(watched, 'admin', '/first-steps');
    await page.getByText('Next step').waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await page.getByRole('button', { name: 'Remove demo data' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Demo data removed.').waitFor();
    expect(await server.operator('GET', '/api/hosts')).toMatchObject({ data: [] });
    await page.getByRole('button', { name: 'Replay attack' }).click();
    await page.getByText(/Stored as host demo: \d+ events/).waitFor();
    expect(await server.operator('GET', '/api/hosts')).toMatchObject({ data: [{ hostname: 'demo' }] });
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'a user without the administrator role sees an error for an address and for a link',
  async () => {
    const analyst = await chromium.open();
    await server.visit(analyst, 'analyst', '/first-steps');
    await analyst.page.goto(`${server.url}/admin/users`);
    await analyst.page.getByRole('heading', { name: 'Administrators only' }).waitFor();
    expect(await analyst.inaccessible()).toEqual([]);
    await analyst.page.getByRole('link', { name: 'Go to the console' }).click();
    await analyst.page.waitForURL(`${server.url}/detections`);
    expect(analyst.problems).toEqual([]);
  },
  PATIENCE_MS,
);
