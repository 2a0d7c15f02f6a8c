import { readdir, readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { useChromium } from '#test/support/chromium.ts';
import { useConsoleServer } from '#test/support/console-server.ts';

const server = await useConsoleServer();
const chromium = useChromium();
const EXAMPLES = new URL('../../../examples/agents/', import.meta.url);

beforeAll(async () => {
  for (const slug of await readdir(EXAMPLES)) {
    const folder = new URL(`${slug}/`, EXAMPLES);
    const files = await Promise.all(
      (await readdir(folder)).map(async (path) => ({ path, content: await readFile(new URL(path, folder), 'utf8') })),
    );
    const described = files.find(({ path }) => path === 'agent.yaml');
    await server.operator('POST', '/api/v1/agents', { ...parse(described?.content ?? ''), visibility: 'shared' });
    await server.operator('POST', `/api/v1/agents/${slug}/files`, {
      files: files.filter((file) => file !== described),
    });
  }
});

test('an agent is run by its form, its run reviewed and saved as a test case, and the test case is run', async () => {
  const watched = await chromium.open();
  const { page, problems } = watched;
  await server.visit(watched, 'admin', '/agents');
  await page.getByRole('row', { name: /Host timeline/ }).waitFor();
  expect(await watched.inaccessible()).toEqual([]);
  await page.getByRole('row', { name: /Host timeline/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Host timeline' }).waitFor();
  await page.keyboard.press('r');
  await page.getByLabel('hostname').fill('web-1');
  expect(await watched.inaccessible()).toEqual([]);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.waitForURL(/\/agents\/host-timeline\/executions\/exec_/);
  await page.getByRole('group', { name: 'output' }).getByText('"hostname": "web-1"').waitFor();
  await page.getByText('Output matches its schema').waitFor();
  expect(await watched.inaccessible()).toEqual([]);

  await page.getByRole('tab', { name: 'Trace' }).click();
  await page.getByText('events.list').first().click();
  await page.getByRole('region', { name: 'details of events.list' }).waitFor();
  expect(await watched.inaccessible()).toEqual([]);

  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByRole('button', { name: 'Show: output timeline.csv' }).click();
  await page.getByRole('region', { name: 'Text of timeline.csv' }).getByText('"minute"').waitFor();
  await page.getByRole('button', { name: 'Set as expected: timeline.csv' }).click();
  await page.getByRole('button', { name: 'Compare: timeline.csv' }).click();
  await page.getByText('No differences').waitFor();
  expect(await watched.inaccessible()).toEqual([]);

  await page.getByRole('tab', { name: 'Review' }).click();
  const wanted = page.getByLabel('Expected output');
  await wanted.fill('{"hostname": "web-2"}');
  await page
    .getByRole('region', { name: /^Difference of expected/ })
    .getByText('web-2')
    .waitFor();
  await page.getByText('Partial', { exact: true }).click();
  await page.getByLabel('Comment').fill('it looked at the wrong host');
  expect(await watched.inaccessible()).toEqual([]);
  await wanted.fill('{"hostname": "web-1"}');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Review saved.').waitFor();

  await page.getByRole('button', { name: 'Save as test case…' }).click();
  await page.getByLabel('Name of the test case').fill('quiet host');
  await page.keyboard.press('Enter');
  await page.getByText('Test case quiet host saved.').waitFor();
  await page.getByRole('link', { name: 'Agent host-timeline' }).click();
  await page.getByRole('tab', { name: 'Test cases' }).click();
  await page.getByRole('button', { name: 'Run all test cases' }).click();
  await page.getByText('1 passed').waitFor();
  expect(await watched.inaccessible()).toEqual([]);

  await page.getByText(/^Pass rate 100%/).waitFor();
  for (const [tab, text] of [
    ['Experiments', 'No experiments yet.'],
    ['Usage', 'By workspace version'],
    ['Tools', 'All other calls'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click();
    await page.getByText(text).first().waitFor();
    expect(await watched.inaccessible()).toEqual([]);
  }
  await page.getByRole('tab', { name: 'Runs' }).click();
  await page.getByRole('row', { name: /quiet host/ }).waitFor();
  await page.getByLabel('Rating').selectOption('partial');
  await page.waitForURL(/feedbackRating=partial/);
  await page.getByText('Total: 1').waitFor();
  expect(await watched.inaccessible()).toEqual([]);
  expect(problems).toEqual([]);
});

test('files of a workspace are read, changed, added and removed on a phone in dark mode', async () => {
  const watched = await chromium.open({ phone: true, dark: true });
  const { page, problems } = watched;
  await server.visit(watched, 'admin', '/agents/triage');
  await page.getByRole('button', { name: /AGENT\.md/ }).click();
  const editor = page.getByRole('textbox', { name: 'AGENT.md' });
  await editor.waitFor();
  expect(await watched.inaccessible()).toEqual([]);
  await editor.fill('# Triage\n\nChanged.\n');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('AGENT.md saved').waitFor();

  await page.getByLabel('New file').fill('prompts/first.md');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'prompts/first.md' }).waitFor();
  await page.getByRole('button', { name: 'Remove…' }).click();
  await page.getByRole('button', { name: 'Remove file' }).click();
  await page.getByText('prompts/first.md removed').waitFor();
  await page.getByRole('button', { name: /first\.md/ }).waitFor({ state: 'detached' });
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  expect(problems).toEqual([]);
});

test('an agent is created, its configuration validated, and archived', async () => {
  const watched = await chromium.open();
  const { page, problems } = watched;
  await server.visit(watched, 'user', '/agents');
  await page.getByRole('row', { name: /Triage/ }).waitFor();
  await page.keyboard.press('n');
  await page.getByLabel('Name', { exact: false }).first().fill('Night watch');
  expect(await watched.inaccessible()).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Create agent' }).click();
  await page.getByRole('heading', { name: 'Night watch' }).waitFor();
  await page.getByRole('tab', { name: 'Configuration' }).click();
  const config = page.getByLabel('Configuration (JSON)');
  await config.fill('{');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The configuration is not valid JSON').waitFor();
  await config.fill('{"runtime": "nothing"}');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').getByText('config.runtime').waitFor();
  expect(await watched.inaccessible()).toEqual([]);
  await config.fill('{"runtime": "script"}');
  await page.getByLabel('Archived (hidden and not runnable)').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Archived', { exact: true }).waitFor();
  await page.goto(`${server.url}/agents?archived=true`);
  await page
    .getByRole('row', { name: /Night watch/ })
    .getByText('archived')
    .waitFor();
  expect(problems).toEqual([]);
});

test('a definition and a file of an agent do not overwrite changes that another user made since', async () => {
  const definition = (x: number) =>
    `document:\n  dsl: '1.0.3'\n  namespace: tests\n  name: shared\n  version: '1.0.0'\ndo:\n  - a:\n      set:\n        x: ${x}\n`;
  await server.operator('PUT', '/api/v1/workflows/shared', { yamlContent: definition(1) });
  const watched = await chromium.open();
  const { page, problems } = watched;
  const notice = page.getByRole('alert').filter({ hasText: 'Another user' });
  await server.visit(watched, 'admin', '/workflows/shared?tab=definition');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Definition (YAML)').fill(definition(2));
  await server.operator('PUT', '/api/v1/workflows/shared', { yamlContent: definition(3) });
  await page.getByRole('button', { name: 'Review changes…' }).click();
  await page.getByRole('button', { name: 'Release', exact: true }).click();
  await notice.getByText('x: 3').waitFor();
  expect(await watched.inaccessible()).toEqual([]);
  await notice.getByRole('button', { name: 'Keep their version' }).click();
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
  expect(await server.operator('GET', '/api/v1/workflows/shared')).toMatchObject({ yamlContent: definition(3) });

  const made = await server.operator('POST', '/api/v1/agents', { name: 'Shared agent', slug: 'shared-agent' });
  const { agent } = made as { agent: { id: string } };
  const file = `/api/v1/agents/${agent.id}/files?path=AGENT.md`;
  await page.goto(`${server.url}/agents/${agent.id}`);
  await page.getByText('AGENT.md').first().click();
  await page.getByRole('textbox', { name: 'AGENT.md' }).fill('# Mine\n');
  await server.operator('PUT', file, { content: '# Theirs\n' });
  await page.getByRole('button', { name: 'Save' }).click();
  await notice.getByText('# Theirs').waitFor();
  await notice.getByRole('button', { name: 'Overwrite' }).click();
  await page.getByText('AGENT.md saved as a new workspace version').waitFor();
  expect(await server.operator('GET', file)).toMatchObject({ file: { content: '# Mine\n' } });
  expect(problems).toEqual([]);
});
