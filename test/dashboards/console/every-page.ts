import { readdir, readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { AGENT_TABS, RUN_TABS } from '#dashboards/console/src/pages/agents/search.ts';
import { WORKFLOW_TABS } from '#dashboards/console/src/pages/workflows/search.ts';
import type { WatchedPage } from '#test/support/chromium.ts';
import type { ConsoleServer } from '#test/support/console-server.ts';
import { waitFor } from '#test/support/wait-for.ts';

const ROUTES = new URL('../../../dashboards/console/src/routes/_signed-in/', import.meta.url);
const EXAMPLES = new URL('../../../examples/', import.meta.url);
const RECEIVER = { host: 'a-log-receiver-with-a-long-name.fra1.example.net', port: 6_514 };
export const EXCEPTION = { rule: 'instruction-pointer-probe', hostname: 'fuzzing-*', reason: 'a fuzzer runs there' };

/** Ids of one record of each kind. */
export interface Made {
  readonly detection: string;
  readonly event: string;
  readonly letter: string;
  readonly output: string;
  readonly execution: string;
  readonly run: string;
  readonly user: string;
  readonly case: string;
}
/** Creates at least one record of each kind that a page can show. */
export async function somethingEverywhere({ operator }: ConsoleServer): Promise<Made> {
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

/** Returns the paths of the signed-in pages from the route files of the console. Parameters begin with `$`. */
async function pagesOfConsole(): Promise<string[]> {
  const files = await readdir(ROUTES, { recursive: true });
  return files
    .filter((file) => file.endsWith('.tsx'))
    .map((file) => `/${file.replace(/(?:\/?index)?\.tsx$/, '')}`)
    .sort();
}

/** Returns the addresses of each page that has parameters or tabs. */
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
    '/workflows/$id': tabs('/workflows/isolate-host', WORKFLOW_TABS),
    '/executions/$id': [`/executions/${execution}`],
    '/agents/$id': tabs('/agents/host-timeline', AGENT_TABS),
    '/agents/$id/executions/$execution': tabs(`/agents/host-timeline/executions/${run}`, RUN_TABS),
    '/exceptions': ['/exceptions', '/exceptions?tab=requests'],
    '/dashboard': ['/dashboard', '/dashboard?view=live'],
    '/admin/users/$id': [`/admin/users/${user}`],
  };
}

/**
 * Opens an address inside the running console, as a click on a link does. This takes a fraction of the time of a full
 * load. Resolves when the new page has replaced the previous page.
 */
export async function openInConsole(page: Page, address: string): Promise<void> {
  // `waitForFunction` would need `unsafe-eval` in the content security policy.
  await waitFor('the router of the console', () => page.evaluate(`typeof __TSR_ROUTER__ === 'object'`));
  await page.evaluate(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(address)} })`);
  const { pathname } = new URL(address, page.url());
  await page.waitForURL((url) => url.pathname === (pathname.replace(/\/$/, '') || '/'));
}

/**
 * Opens every signed-in page in turn, signed in as an administrator, and calls `look` when the page has loaded its
 * data. Fails for a page with parameters that `addressesOf` does not have.
 */
export async function visitEveryPage(
  server: ConsoleServer,
  watched: WatchedPage,
  made: Made,
  look: (address: string) => Promise<void>,
): Promise<void> {
  const { page, context } = watched;
  await server.visit(watched, 'admin', '/first-steps');
  const known = addressesOf(made);
  const addresses = (await pagesOfConsole()).flatMap((path) => known[path] ?? [path]);
  expect(addresses.filter((address) => address.includes('$'))).toEqual([]);
  for (const [index, address] of addresses.entries()) {
    // Each page has its own client address: otherwise the console slows down before it reaches the rate limit of one
    // address.
    await context.setExtraHTTPHeaders({ 'x-forwarded-for': `192.0.2.${index + 1}` });
    await openInConsole(page, address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const waits = page.getByRole('progressbar').or(page.getByText(/^Loading /));
    await expect.poll(() => waits.count(), { timeout: 90_000 }).toBe(0);
    await look(address);
  }
}
