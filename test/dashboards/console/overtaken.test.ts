import { expect, test } from 'vitest';
import { useChromium } from '#test/support/chromium.ts';
import { useConsoleServer } from '#test/support/console-server.ts';

const server = await useConsoleServer();
const chromium = useChromium();
/** Looking a page over for accessibility takes seconds on a loaded machine. */
const PATIENCE_MS = 300_000;

test(
  'an edit of an output that another person changed since shows the new values, and overwrites them only after confirmation',
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
    // Only what was changed here is changed: the other's filter stays.
    expect(await server.operator('GET', path)).toMatchObject({ name: 'mine', filter: { minSeverity: 'high' } });
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'a definition and a file of an agent are not released over changes that another person made since',
  async () => {
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
    await page.getByRole('button', { name: 'Release' }).click();
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
  },
  PATIENCE_MS,
);
