import { readdir, readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { useChromium, type WatchedPage } from '#test/support/chromium.ts';
import { useConsoleServer } from '#test/support/console-server.ts';
import { waitFor } from '#test/support/wait-for.ts';

const server = await useConsoleServer();
const chromium = useChromium();
const EXAMPLES = new URL('../../../examples/workflows/', import.meta.url);

/** Writes to its log, then waits for an hour, so that it has to be cancelled. */
const TALKATIVE = `
document: { dsl: "1.0.0", namespace: default, name: talkative, version: 1.0.0 }
do:
  - talk:
      run: { script: { language: javascript, code: "console.log('hello from the script')" } }
  - rest:
      wait: { hours: 1 }
`;

/** Waits for a decision by a member of a team who did not start the execution. */
const FOUR_EYES = `
document: { dsl: "1.0.0", namespace: default, name: four-eyes, version: 1.0.0 }
do:
  - answer:
      metadata:
        approval: { approvers: [{ team: responders }], except: [starter] }
      listen: { to: { one: { with: { type: org.example.decided } } } }
`;

/** A task for a worker that does not exist. */
const ASK = { call: 'trapline.worker', with: { queue: 'sandbox', type: 'detonate' } };

beforeAll(async () => {
  for (const file of await readdir(EXAMPLES)) {
    const yamlContent = await readFile(new URL(file, EXAMPLES), 'utf8');
    await release(file.replace('.yaml', ''), yamlContent);
    if (file === 'isolate-host.yaml') await release('isolate-host', yamlContent.replace('hours: 4', 'hours: 8'));
  }
  await release('talkative', TALKATIVE);
});

const release = (slug: string, yamlContent: string) =>
  server.operator('PUT', `/api/v1/workflows/${slug}`, { yamlContent, visibility: 'shared' });

/** Runs a workflow with the session of the page. Resolves to the id of the execution. */
async function run({ context }: WatchedPage, slug: string, input: object): Promise<string> {
  const response = await context.request.post(`${server.url}/api/v1/workflows/${slug}/run`, { data: { input } });
  return ((await response.json()) as { executionId: string }).executionId;
}

test('a workflow is found by keyboard, drawn, described in words, and its versions are compared', async () => {
  const watched = await chromium.open();
  const { page, problems } = watched;
  await server.visit(watched, 'user', '/workflows');
  await page.getByRole('row', { name: /nightly-report/ }).waitFor();
  expect(await watched.inaccessible()).toEqual([]);
  await page.keyboard.press('/');
  await page.keyboard.type('isolate');
  await page.waitForURL(/search=isolate/);
  await page.getByText('Total: 1').waitFor();
  await page.getByRole('row', { name: /isolate-host/ }).focus();
  await page.keyboard.press('Enter');

  await page.getByRole('heading', { name: 'isolate-host' }).waitFor();
  await page.getByRole('img', { name: /Chart of 10 tasks/ }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'org.trapline.isolation.requested' }).first().waitFor();
  expect(await watched.inaccessible()).toEqual([]);

  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.getByRole('row', { name: /^1/ }).click();
  const difference = page.getByRole('region', { name: 'Difference of the versions' });
  await difference.getByText('hours: 8').waitFor();
  expect(await difference.textContent()).toMatch(/- +hours: 4\+ +hours: 8/);
  expect(await watched.inaccessible()).toEqual([]);
  await page.goBack();
  await difference.waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'Definition' }).click();
  await page.getByLabel('Definition (YAML)').waitFor();
  expect(await watched.inaccessible()).toEqual([]);
  expect(problems).toEqual([]);
});

test('a definition is corrected at its line, released, run by its form, run again from a step, and rolled back', async () => {
  const watched = await chromium.open();
  const { page, problems } = watched;
  const { username } = await server.visit(watched, 'user', '/workflows');
  await page.getByRole('row', { name: /isolate-host/ }).waitFor();
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'Create workflow' });
  await dialog.getByRole('button', { name: /Isolate a host, with approval/ }).click();
  await expect.poll(() => dialog.getByLabel('Definition (YAML)').inputValue()).toContain('name: isolate-host');
  await dialog.getByRole('button', { name: /Empty workflow/ }).click();
  await dialog.getByLabel('Name').fill('my-workflow');
  const editor = dialog.getByLabel('Definition (YAML)');
  const starter = await editor.inputValue();
  await editor.fill(starter.replace('      set:', '      sett:'));
  await dialog.getByRole('button', { name: 'Release' }).click();
  await dialog.getByText('was not released').waitFor();
  expect(await watched.inaccessible()).toEqual([]);
  await dialog
    .getByRole('button', { name: /^Line \d+$/ })
    .first()
    .click();
  expect(await editor.evaluate((element) => element.matches(':focus'))).toBe(true);
  await editor.fill(starter);
  await dialog.getByRole('button', { name: 'Release' }).click();
  await page.getByRole('heading', { name: 'my-workflow' }).waitFor();

  await page.keyboard.press('r');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText('required').waitFor();
  expect(await watched.inaccessible()).toEqual([]);
  await page.getByRole('textbox', { name: 'name', exact: true }).fill('Ann');
  await page.getByText('Files', { exact: true }).click();
  await page.getByLabel('Name of the file input').fill('core');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'nginx.core', mimeType: 'application/octet-stream', buffer: Buffer.from('a core dump') });
  await page.getByRole('button', { name: 'Remove the file core' }).waitFor();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.waitForURL(/\/executions\/exec_/);
  const first = page.url();
  await page.getByRole('group', { name: 'output' }).getByText('Hello Ann').waitFor();
  await page.getByRole('status').getByText(`by ${username} (console)`).waitFor();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'core' }).click()]);
  expect(await readFile(await file.path(), 'utf8')).toBe('a core dump');
  await page.getByRole('button', { name: /greet/ }).click();
  await page.getByRole('region', { name: 'Step output' }).waitFor();
  expect(await watched.inaccessible()).toEqual([]);
  await page.getByRole('button', { name: 'Run again from this step' }).click();
  await page.waitForURL((url) => url.href !== first);
  await page.getByText(`by ${username} (console, re-run from a step)`).waitFor();
  await page.getByRole('group', { name: 'output' }).getByText('Hello Ann').waitFor();

  await page.getByRole('link', { name: 'Workflow my-workflow' }).click();
  await page.getByRole('tab', { name: 'Executions' }).click();
  await page.getByText('Total: 2').waitFor();
  await page.getByRole('row', { name: `${username} (console)` }).waitFor();
  await page.getByRole('tab', { name: 'Definition' }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  const draft = page.getByLabel('Definition (YAML)');
  await draft.fill(`${starter.replace('Hello', 'Good day')}  # looks it up\n  - look:\n      ca`);
  await page.getByText(/problems? in the definition/).waitFor();
  expect(await watched.inaccessible()).toEqual([]);
  await draft.press('Control+Space');
  await page.getByRole('option', { name: 'call:' }).waitFor();
  await draft.press('Enter');
  await draft.pressSequentially('trapline.detection.ge');
  await draft.press('Control+Space');
  await draft.press('Enter');
  await draft.pressSequentially('\nwith: { id: det_1 }');
  await page.getByText('No problems found.').waitFor();
  // A task is added and moved by keyboard. Its comment moves with it, and the chart is updated.
  await page.getByRole('button', { name: /^greet/ }).click();
  await page.getByLabel('Kind of the new task').selectOption('set');
  await page.getByRole('button', { name: 'Add task' }).click();
  await page.getByRole('img', { name: /Chart of 3 tasks/ }).waitFor();
  await page.getByRole('button', { name: /^look/ }).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(() => draft.inputValue()).toMatch(/greet:[\s\S]*# looks it up\n {2}- look:[\s\S]*- set:/);
  await expect.poll(() => page.getByRole('button', { name: 'Move look down' }).isEnabled()).toBe(true);
  await page.getByRole('button', { name: 'Move look down' }).click();
  await expect.poll(() => draft.inputValue()).toMatch(/- set:[\s\S]*# looks it up\n {2}- look:/);
  expect(await watched.inaccessible()).toEqual([]);
  await page.getByRole('button', { name: 'Start dry run' }).click();
  await page.getByText('The dry run stopped', { exact: true }).waitFor();
  await page.getByText('stopped at the step "look"').waitFor();
  await page.getByRole('table', { name: 'Steps of the dry run' }).getByText('Good day Ann').waitFor();
  expect(await watched.inaccessible()).toEqual([]);
  await draft.fill(starter.replace('Hello', 'Good day'));
  await page.getByText('No problems found.').waitFor();
  await page.getByRole('button', { name: 'Start dry run' }).click();
  await page.getByText('The dry run completed', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Review changes…' }).click();
  const review = page.getByRole('dialog', { name: 'Changes since the current version' });
  await review.getByText('Good day').waitFor();
  expect(await watched.inaccessible()).toEqual([]);
  await review.getByRole('button', { name: 'Release', exact: true }).click();
  await page.getByText('Version 2 released').waitFor();
  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.getByRole('row', { name: /^1/ }).click();
  await page.getByRole('button', { name: 'Restore version 1…' }).click();
  await page.getByRole('button', { name: 'Restore version', exact: true }).click();
  await page.getByText('Version 1 is current').waitFor();
  await page.getByText('Version 1', { exact: true }).waitFor();
  expect(problems).toEqual([]);
});

test('a pending decision is found in the approvals and rejected with a note, by keyboard', async () => {
  const watched = await chromium.open({ phone: true, dark: true });
  const { page, problems } = watched;
  const { username } = await server.visit(watched, 'user', '/approvals');
  await page.getByText('No pending approvals').waitFor();
  const input = { hostname: 'web-1', controlUrl: 'https://firewall.example.org/quarantine' };
  const id = await run(watched, 'isolate-host', input);
  await page.goto(`${server.url}/executions/${id}`);
  await page.getByText('Waiting for approval', { exact: true }).waitFor();
  expect(await watched.inaccessible()).toEqual([]);
  await page.getByRole('link', { name: 'Review' }).click();
  // The link opens this approval. The list opens it too, by keyboard.
  await page.getByLabel('Note').waitFor();
  await page.keyboard.press('Escape');
  await page.getByLabel('Note').waitFor({ state: 'detached' });
  await page.getByRole('row', { name: /Isolate a host, with approval/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Note').fill('not on a Friday');
  expect(await watched.inaccessible()).toEqual([]);
  await page.getByRole('button', { name: 'Reject' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Rejected. The execution continues.').waitFor();

  await page.goto(`${server.url}/executions/${id}`);
  const output = page.getByRole('group', { name: 'output' });
  await output.waitFor();
  expect(JSON.parse((await output.textContent()) ?? '')).toMatchObject({
    isolated: false,
    decision: { approved: false, by: username, note: 'not on a Friday' },
  });
  expect(await watched.inaccessible()).toEqual([]);
  expect(problems).toEqual([]);
});

test('an approval is given by a second user named in the workflow, not by the user who started it', async () => {
  const [starting, approving] = [await chromium.open(), await chromium.open({ phone: true, dark: true })];
  const { username: starter } = await server.visit(starting, 'user', '/workflows');
  const { username: approver } = await server.visit(approving, 'user', '/approvals');
  await approving.page.getByText('No pending approvals').waitFor();
  const admin = await chromium.open();
  await server.visit(admin, 'admin', '/admin/teams');
  await admin.page.getByText('No teams yet').waitFor();
  expect(await admin.inaccessible()).toEqual([]);
  await admin.page.keyboard.press('n');
  const dialog = admin.page.getByRole('dialog', { name: 'Create team' });
  await dialog.getByLabel('Name').fill('responders');
  await dialog.getByLabel('Members').fill(`${starter}\n${approver}`);
  expect(await admin.inaccessible()).toEqual([]);
  await dialog.getByRole('button', { name: 'Create team' }).click();
  await admin.page.getByRole('row', { name: /responders/ }).waitFor();
  await release('four-eyes', FOUR_EYES);
  await admin.page.goto(`${server.url}/workflows/four-eyes?tab=sharing`);
  await admin.page.getByLabel('With').selectOption('Team');
  await admin.page.getByLabel('Team').selectOption('responders');
  await admin.page.getByLabel('Permission').selectOption('View');
  await admin.page.getByRole('button', { name: 'Share', exact: true }).click();
  await admin.page.getByRole('row', { name: /Team responders/ }).waitFor();
  expect(await admin.inaccessible()).toEqual([]);

  const id = await run(starting, 'four-eyes', { hostname: 'web-1' });
  await starting.page.goto(`${server.url}/executions/${id}`);
  await starting.page.getByText('Another user has to decide.').waitFor();
  await starting.page.getByText('Approvers: team responders').waitFor();
  expect(await starting.inaccessible()).toEqual([]);
  await approving.page.goto(`${server.url}/approvals`);
  await approving.page.getByRole('row', { name: /four-eyes/ }).click();
  await approving.page.getByText('Excluded: the user who started the execution').waitFor();
  await approving.page.getByLabel('Note').fill('agreed');
  expect(await approving.inaccessible()).toEqual([]);
  await approving.page.getByRole('button', { name: 'Approve' }).click();
  await approving.page.getByText('Approved. The execution continues.').waitFor();
  const output = starting.page.getByRole('group', { name: 'output' });
  await output.waitFor();
  expect(await output.textContent()).toContain(`"by": "${approver}"`);
  expect([...starting.problems, ...approving.problems, ...admin.problems]).toEqual([]);
});

test('an execution is followed, cancelled and found in the list; then a task waits for a worker', async () => {
  const watched = await chromium.open();
  const { context, page, problems } = watched;
  await server.visit(watched, 'user', '/executions');
  await page.getByText('No executions yet').waitFor();
  const id = await run(watched, 'talkative', {});
  await page.goto(`${server.url}/executions/${id}`);
  await page.getByRole('log').getByText('hello from the script').waitFor();
  await page.getByRole('row', { name: /rest/ }).getByText('waiting').waitFor();
  await page.keyboard.press('c');
  await page.getByRole('button', { name: 'Cancel execution', exact: true }).click();
  await page.getByRole('log').getByText('cancelled').waitFor();
  await page.getByText('Finished', { exact: true }).waitFor();
  expect(await watched.inaccessible()).toEqual([]);

  await page.keyboard.press('g');
  await page.keyboard.press('v');
  await page.getByRole('row', { name: /talkative/ }).waitFor();
  expect(await watched.inaccessible()).toEqual([]);
  await page.getByText('Completed', { exact: true }).first().click();
  await page.waitForURL(/status=.*completed/);
  await page.getByText('No matching executions').waitFor();

  // A task for a worker waits in its queue. A user does not see the queues of the operator.
  const asks = { document: { dsl: '1.0.0', namespace: 'default', name: 'asks', version: '1.0.0' }, do: [{ ask: ASK }] };
  const yamlContent = JSON.stringify(asks);
  const released = await context.request.put(`${server.url}/api/v1/workflows/asks-worker`, {
    data: { yamlContent },
  });
  expect(await released.text()).toContain('"released":true');
  await page.keyboard.press('g');
  await page.keyboard.press('q');
  await page.getByText('No queues yet').waitFor();
  expect(await watched.inaccessible()).toEqual([]);
  await run(watched, 'asks-worker', {});
  const queue = page.getByRole('row', { name: /sandbox/ });
  await waitFor('the task in its queue', async () => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    return (await queue.count()) === 1;
  });
  await queue.getByText('No worker').waitFor();
  expect(await watched.inaccessible()).toEqual([]);
  expect(problems).toEqual([]);
});

test('a trigger is disabled; a webhook is created, shows its secret once, and is removed', async () => {
  const watched = await chromium.open();
  const { page, problems } = watched;
  await server.visit(watched, 'admin', '/workflows/nightly-report?tab=triggers');
  const clock = page.getByRole('switch', { name: 'Enabled: Every day at 03:00 (UTC)' });
  await clock.waitFor();
  await clock.focus();
  await page.keyboard.press('Space');
  await expect.poll(() => clock.isChecked()).toBe(false);
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByText('Store the secret now').waitFor();
  expect((await page.getByRole('region', { name: 'secret' }).textContent())?.length).toBeGreaterThan(20);
  expect(await watched.inaccessible()).toEqual([]);
  await page.getByRole('button', { name: 'Remove webhook…' }).click();
  await page.getByRole('button', { name: 'Remove webhook', exact: true }).click();
  await page.getByText('Webhook removed').waitFor();
  await page.getByRole('button', { name: 'Create webhook' }).waitFor();
  expect(problems).toEqual([]);
});

test('a workflow with limits shows what waits for which limit, is paused and resumed, and its executions are cancelled in bulk', async () => {
  const { document, ...rest } = {
    document: {
      dsl: '1.0.0',
      namespace: 'default',
      name: 'limited',
      version: '1.0.0',
      metadata: {
        limits: { concurrency: { max: 1, key: '${ .host }' }, throttle: { max: 50, period: 'PT1M' }, retention: 'P7D' },
      },
    },
    do: [{ rest: { wait: { hours: 1 } } }],
  };
  const watched = await chromium.open();
  const { page, problems, context } = watched;
  await server.visit(watched, 'user', '/workflows');
  const released = await context.request.put(`${server.url}/api/v1/workflows/limited`, {
    data: { yamlContent: JSON.stringify({ document, ...rest }) },
  });
  expect(released.status()).toBe(200);
  await run(watched, 'limited', { host: 'web-1' });
  const second = await run(watched, 'limited', { host: 'web-1' });
  await page.goto(`${server.url}/executions/${second}`);
  await page.getByText('Not started yet. Waiting for: A free slot').waitFor();
  await page.getByText('Key "web-1". Next in its queue.').waitFor();
  expect(await watched.inaccessible()).toEqual([]);
  await page.getByRole('link', { name: 'Limits of the workflow' }).click();
  await page.getByText('1 slot in use').waitFor();
  await page.getByRole('row', { name: /A free slot.*web-1/ }).waitFor();
  expect(await watched.inaccessible()).toEqual([]);
  await page.getByRole('button', { name: 'Pause…' }).click();
  await page.getByLabel('Reason (shown in the audit log)').fill('maintenance of the EDR');
  await page.getByRole('button', { name: 'Pause workflow' }).click();
  await page.getByText('Paused: starts are accepted and wait').waitFor();
  await page.getByRole('row', { name: /Workflow to be resumed/ }).waitFor();
  expect(await watched.inaccessible()).toEqual([]);
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('Paused: starts are accepted and wait').waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'Executions' }).click();
  await page.getByRole('button', { name: 'Cancel matching…' }).click();
  await page.getByText('2 executions will be cancelled.').waitFor();
  expect(await watched.inaccessible()).toEqual([]);
  await page.getByRole('button', { name: 'Cancel 2 executions' }).click();
  await page.getByText('Last action: cancelled 2 of 2').waitFor();
  expect(await watched.inaccessible()).toEqual([]);
  expect(problems).toEqual([]);
});

test('an execution is suspended and resumed on its page, by button and by keyboard', async () => {
  const watched = await chromium.open();
  const { page, problems } = watched;
  await server.visit(watched, 'user', '/executions');
  const id = await run(watched, 'talkative', {});
  await page.goto(`${server.url}/executions/${id}`);
  await page.getByText('Waiting for approval, an event or a timer').waitFor();
  await page.getByRole('button', { name: 'Suspend', exact: true }).click();
  await page.getByText('Execution suspended.').waitFor();
  await page.getByText('No step begins until the execution is resumed.').waitFor();
  await page.getByText('Waiting for approval, an event or a timer').waitFor({ state: 'detached' });
  expect(await watched.inaccessible()).toEqual([]);
  await page.keyboard.press('s');
  await page.getByText('Execution resumed.').waitFor();
  await page.getByRole('button', { name: 'Suspend', exact: true }).waitFor();
  await page.getByText('Waiting for approval, an event or a timer').waitFor();
  expect(problems).toEqual([]);
});
