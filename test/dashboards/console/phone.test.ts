import { readdir, readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { useChromium } from '#test/support/chromium.ts';
import { useConsoleServer } from '#test/support/console-server.ts';
import { outOfReach } from '#test/support/out-of-reach.ts';
import { waitFor } from '#test/support/wait-for.ts';

const server = await useConsoleServer();
const chromium = useChromium();
/** Two looks for accessibility at each page there is; a loaded machine takes seconds for one. */
const PATIENCE_MS = 900_000;
const ROUTES = new URL('../../../dashboards/console/src/routes/_signed-in/', import.meta.url);
const EXAMPLES = new URL('../../../examples/', import.meta.url);
const RECEIVER = { host: 'a-log-receiver-with-a-long-name.fra1.example.net', port: 6_514 };
const EXCEPTION = { rule: 'instruction-pointer-probe', hostname: 'fuzzing-*', reason: 'a fuzzer runs there' };

interface Made {
  readonly detection: string;
  readonly event: string;
  readonly letter: string;
  readonly output: string;
  readonly execution: string;
  readonly run: string;
  readonly user: string;
  readonly case: string;
}
let made: Made;
beforeAll(async () => {
  made = await somethingEverywhere();
}, 600_000);

/** Something of everything that a page can show. */
async function somethingEverywhere(): Promise<Made> {
  const { operator } = server;
  const yamlContent = await readFile(new URL('workflows/isolate-host.yaml', EXAMPLES), 'utf8');
  await operator('PUT', '/api/v1/workflows/isolate-host', { yamlContent, visibility: 'shared' });
  const folder = new URL('agents/host-timeline/', EXAMPLES);
  const files = await Promise.all(
    (await readdir(folder)).map(async (path) => ({ path, content: await readFile(new URL(path, folder), 'utf8') })),
  );
  const described = files.find(({ path }) => path === 'agent.yaml')?.content ?? '';
  await operator('POST', '/api/v1/agents', { ...parse(described), visibility: 'shared' });
  await operator('POST', '/api/v1/agents/host-timeline/files', {
    files: files.filter(({ path }) => path !== 'agent.yaml'),
  });
  const input = { hostname: 'web-1', controlUrl: 'https://firewall.example.org/quarantine' };
  const [execution, run] = (await Promise.all([
    operator('POST', '/api/v1/workflows/isolate-host/run', { input }),
    operator('POST', '/api/v1/agents/host-timeline/run', { input: { hostname: 'web-1' } }),
  ])) as { executionId: string }[];
  const settings = RECEIVER;
  const output = (await operator('POST', '/api/outputs', { type: 'syslog', name: 'The SIEM', settings })) as {
    id: string;
  };
  const { token } = (await operator('POST', '/api/admin/detector-tokens', {})) as { token: string };
  await operator('POST', '/api/detectors/enrolment', { token, hostname: 'a-host-with-a-long-name.fra1.example.net' });
  await operator('POST', '/api/exceptions', EXCEPTION);
  await operator('POST', '/api/exception-requests', {
    ...EXCEPTION,
    hostname: 'a-host-with-a-long-name.fra1.example.net',
  });
  await operator('POST', '/api/events', { version: 'V9' }).catch(() => {});
  const first = async (address: string) =>
    ((await operator('GET', address)) as { data: { id: string }[] }).data[0]?.id ?? '';
  const detection = await first('/api/detections');
  const { id: caseId } = (await operator('POST', '/api/cases', { detections: [detection] })) as { id: string };
  await operator('POST', `/api/cases/${caseId}/tasks`, { title: 'Isolate a-host-with-a-long-name.fra1.example.net' });
  await operator('POST', `/api/cases/${caseId}/comments`, { text: 'The access log is with the network team.' });
  await operator('POST', '/api/case-templates', { name: 'Exploit', title: 'Exploit', severity: 'high', tasks: [] });
  return {
    detection,
    case: caseId,
    event: await first('/api/events'),
    letter: await waitFor('the dead letter', () => first('/api/dead-letters')),
    output: output.id,
    execution: execution?.executionId ?? '',
    run: run?.executionId ?? '',
    user: await waitFor('the user', () => first('/api/admin/users')),
  };
}

/** Paths of the signed-in pages, by the files of the console's routes; parameters begin with `$`. */
async function pagesOfConsole(): Promise<string[]> {
  const files = await readdir(ROUTES, { recursive: true });
  return files
    .filter((file) => file.endsWith('.tsx'))
    .map((file) => `/${file.replace(/(?:\/?index)?\.tsx$/, '')}`)
    .sort();
}

/** Addresses of each page that has parameters or tabs. */
function addressesOf({
  detection,
  event,
  letter,
  output,
  execution,
  run,
  user,
  case: caseId,
}: Made): Record<string, string[]> {
  const tabs = (page: string, names: readonly string[]) => names.map((name) => `${page}?tab=${name}`);
  return {
    '/detections/$id': [`/detections/${detection}`],
    '/cases/$id': [`/cases/${caseId}`],
    '/case-reports/$id': [`/case-reports/${caseId}`],
    '/events/$id': [`/events/${event}`],
    '/hosts/$hostname': ['/hosts/demo'],
    '/dead-letters/$id': [`/dead-letters/${letter}`],
    '/rules/$id': ['/rules/instruction-pointer-probe'],
    '/outputs/$id': [`/outputs/${output}`],
    '/workflows/$id': tabs('/workflows/isolate-host', [
      'overview',
      'run',
      'executions',
      'definition',
      'versions',
      'triggers',
    ]),
    '/executions/$id': [`/executions/${execution}`],
    '/agents/$id': tabs('/agents/host-timeline', ['workspace', 'run', 'runs', 'examples', 'configuration']),
    '/agents/$id/executions/$execution': tabs(`/agents/host-timeline/executions/${run}`, [
      'result',
      'review',
      'files',
      'trace',
    ]),
    '/exceptions': ['/exceptions', '/exceptions?tab=requests'],
    '/dashboard': ['/dashboard', '/dashboard?view=live'],
    '/admin/users/$id': [`/admin/users/${user}`],
  };
}

/**
 * Opens an address of the console as a link of it does, which costs a fraction of loading the whole console again. Resolves when the page of the address
 * has replaced the one before.
 */
async function openInConsole(page: Page, address: string): Promise<void> {
  await page.evaluate(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(address)} })`);
  const { pathname } = new URL(address, server.url);
  await page.waitForURL((url) => url.pathname === (pathname.replace(/\/$/, '') || '/'));
}

test(
  'every page fits a phone, by day and by night: nothing is out of reach, and nothing hidden from those who listen',
  async () => {
    const watched = await chromium.open({ phone: true });
    const { page, problems } = watched;
    await server.visit(watched, 'admin', '/first-steps');
    const wrong: string[] = [];
    const known = addressesOf(made);
    const addresses = (await pagesOfConsole()).flatMap((path) => known[path] ?? [path]);
    expect(addresses.filter((address) => address.includes('$'))).toEqual([]);
    for (const [index, address] of addresses.entries()) {
      // From an address of its own, so that the console need not slow down before the limit of requests.
      await watched.context.setExtraHTTPHeaders({ 'x-forwarded-for': `192.0.2.${index + 1}` });
      await openInConsole(page, address);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const waits = page.getByRole('progressbar').or(page.getByText(/^Loading /));
      await expect.poll(() => waits.count(), { timeout: 90_000 }).toBe(0);
      const note = (found: readonly string[], when: string) =>
        wrong.push(...found.map((one) => `${address} ${when}: ${one}`));
      note(await outOfReach(page), 'on a phone');
      note(await watched.inaccessible(), 'light');
      await page.emulateMedia({ colorScheme: 'dark' });
      note(await watched.inaccessible('colors'), 'dark');
      await page.emulateMedia({ colorScheme: 'light' });
    }
    expect(wrong).toEqual([]);
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'the navigation opens on a phone, and every page can be chosen in it, also when the phone lies on its side',
  async () => {
    const watched = await chromium.open({ phone: true, dark: true });
    const { page, problems } = watched;
    await server.visit(watched, 'admin', '/keys');
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
    // What is out of sight is not come to by the keyboard either.
    await last.focus();
    expect(await last.evaluate((link) => link.matches(':focus'))).toBe(false);

    await page.setViewportSize({ width: 844, height: 390 });
    await last.scrollIntoViewIfNeeded();
    // Next to the navigation a list with many columns scrolls sideways; it has a scroll bar of its own.
    expect((await outOfReach(page)).filter((found) => !found.startsWith('columns beyond'))).toEqual([]);
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'rows of lists can be distinguished on a phone: by host and program, by when it was, by what an approval is about',
  async () => {
    const watched = await chromium.open({ phone: true });
    const { page, problems } = watched;
    await server.visit(watched, 'admin', '/detections');
    const detections = page.getByRole('grid', { name: 'Detections' });
    const first = detections.locator('[data-index="0"]');
    await first.getByText('Instruction pointer probe', { exact: true }).waitFor();
    await first
      .getByText(/^\w+, edge-gw on demo, New, /)
      .filter({ visible: true })
      .waitFor();
    // One button for the values of the row, since a phone has no room and no pointer for one next to each.
    const values = first.getByRole('button', { name: 'Actions for Instruction pointer probe: edge-gw on demo' });
    const box = await values.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(40);
    await values.click();
    await page.getByRole('menuitem', { name: 'Host: demo' }).click();
    expect(await watched.inaccessible()).toEqual([]);
    await page.getByRole('menuitem', { name: 'Filter out this value' }).click();
    await page.waitForURL(({ searchParams }) => searchParams.get('exclude.hostname') === 'demo');
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
