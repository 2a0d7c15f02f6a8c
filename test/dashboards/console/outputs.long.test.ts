import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useChromium } from '#test/support/chromium.ts';
import { useConsoleServer } from '#test/support/console-server.ts';

const server = await useConsoleServer({ OUTBOUND_ALLOW: '127.0.0.0/8' });
const chromium = useChromium();
/** Time limit of a test, in milliseconds. An accessibility check of one page takes seconds on a loaded machine. */
const PATIENCE_MS = 300_000;

/** The receiver responds with this status. */
const answer = { status: 200 };
const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(answer.status).end('thanks'));
});
let receiverUrl: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/in`;
});
afterAll(() => new Promise((resolve) => receiver.close(resolve)));

test(
  'an administrator creates, tests, changes and pauses an output, retries a failed delivery, and deletes the output',
  async () => {
    const watched = await chromium.open();
    const { page, problems } = watched;
    await server.visit(watched, 'admin', '/outputs');
    await page.getByText('No outputs yet').waitFor();
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'Create output' }).waitFor();
    await page.getByLabel('Kind').selectOption('syslog');
    await page.getByLabel(/^TLS/).waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await page.getByLabel('Kind').selectOption('webhook');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('SIEM hook');
    await page.getByLabel('URL').fill(receiverUrl);
    await page.getByText('Required: Signing key').waitFor();
    await page.getByLabel('Signing key (secret)').fill('too short');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Signing key (secret)').fill('signs-what-is-sent-0123');
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'Output SIEM hook' }).waitFor();
    await page.getByText('Signing key: set').waitFor();
    await page.keyboard.press('t');
    await page.getByText('HTTP 200: thanks').waitFor();
    expect(await watched.inaccessible()).toEqual([]);

    answer.status = 422;
    await page.getByRole('button', { name: 'Send test message' }).click();
    await page.getByText('Test message not delivered').waitFor();
    await server.operator('DELETE', '/api/demo');
    await server.operator('POST', '/api/demo');
    const id = /out_[0-9a-f]{32}/.exec(page.url())?.[0] ?? '';
    await expect
      .poll(async () => {
        const { deadLetters } = (await server.operator('GET', `/api/outputs/${id}/deliveries`)) as {
          deadLetters: { data: object[] };
        };
        return deadLetters.data.length;
      })
      .toBeGreaterThan(0);
    await page.reload();
    const refused = page.getByRole('grid', { name: 'Failed deliveries' });
    await refused.getByText('HTTP 422').first().waitFor();
    answer.status = 200;
    await refused.locator('[data-index="0"]').press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await dialog.getByText('It is sent before waiting messages.').waitFor();
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Delivery queued again.').waitFor();
    expect(await watched.inaccessible()).toEqual([]);

    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('The hook');
    await page.getByLabel('Severity').selectOption('high');
    expect(await watched.inaccessible()).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Output The hook' }).waitFor();
    await page.getByText('High and above', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();

    await page.getByRole('link', { name: 'Outputs' }).click();
    const outputs = page.getByRole('grid', { name: 'Outputs' });
    await outputs.getByText('The hook').waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await outputs.locator('[data-index="0"]').press('Enter');
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No outputs yet').waitFor();
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);

test('a user without the administrator role sees why outputs are hidden', async () => {
  const watched = await chromium.open({ phone: true, dark: true });
  await server.visit(watched, 'analyst', '/outputs');
  await watched.page.getByRole('heading', { name: 'Administrators only' }).waitFor();
  expect(await watched.inaccessible()).toEqual([]);
  expect(watched.problems).toEqual([]);
});

test(
  'editing an output that another user changed shows the new values, and overwrites them only after confirmation',
  async () => {
    const settings = { host: 'log.example', port: 6514 };
    const { id } = (await server.operator('POST', '/api/outputs', { type: 'syslog', name: 'shared', settings })) as {
      id: string;
    };
    const path = `/api/outputs/${id}`;
    const watched = await chromium.open();
    const { page, problems } = watched;
    await server.visit(watched, 'admin', `/outputs/${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('mine');
    await server.operator('PATCH', path, { filter: { minSeverity: 'high' } });
    await page.getByRole('button', { name: 'Save' }).click();

    const notice = page.getByRole('alert').filter({ hasText: 'Another user changed this' });
    await notice.getByText('"minSeverity": "high"').waitFor();
    expect(await server.operator('GET', path)).toMatchObject({ name: 'shared' });
    expect(await watched.inaccessible()).toEqual([]);
    await notice.getByRole('button', { name: 'Overwrite' }).click();
    await page.getByRole('heading', { name: 'Output mine' }).waitFor();
    // Overwriting changes only the edited field: the filter of the other user stays.
    expect(await server.operator('GET', path)).toMatchObject({ name: 'mine', filter: { minSeverity: 'high' } });
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);
