import type { Browser, BrowserContextOptions, CDPSession } from 'playwright-core';
import type { ApiProcess } from './api-process.ts';

/** A slow network: bytes per second in each direction, and the round-trip time. */
export const SLOW_LINE = { downloadThroughput: 50_000, uploadThroughput: 50_000, latency: 100, offline: false };
const ANALYST = { username: 'bench', email: 'bench@example.org', password: 'correct horse battery staple 7' };

export type Cookies = Exclude<BrowserContextOptions['storageState'], string | undefined>;

/** Milliseconds from the start of the navigation until the browser had drawn it. */
export interface ListLoad {
  readonly heading: number;
  readonly rows: number;
  /** Processor time of the main thread of the page until then, in milliseconds. */
  readonly processor: number;
}

/** The throttling of the browser. */
export interface Conditions {
  readonly cpuSlowdown?: number;
  readonly line?: typeof SLOW_LINE;
}

/** Browser state of a signed-in analyst who has opened the console before: cookies and stored values, no files. */
export async function signIn(browser: Browser, { url, headers }: ApiProcess): Promise<Cookies> {
  const created = await fetch(`${url}/api/admin/users`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ ...ANALYST, role: 'analyst', emailVerified: true }),
  });
  if (created.status !== 201) throw new Error(`no analyst: ${created.status} ${await created.text()}`);
  const context = await browser.newContext();
  const { email, password } = ANALYST;
  const answer = await context.request.post(`${url}/api/auth/callback/credentials`, { data: { email, password } });
  if (!answer.ok()) throw new Error(`no session: ${answer.status()} ${await answer.text()}`);
  const page = await context.newPage();
  await page.goto(`${url}/detections`);
  await page.locator('[role=row][aria-rowindex="2"]').waitFor({ timeout: 60_000 });
  const cookies = await context.storageState();
  await context.close();
  return cookies;
}

/** Runs in the page: records when the heading and the first row were drawn. */
const NOTE_LIST = `(() => {
  const seen = (globalThis.benchSeen = {});
  const note = (name, selector) => {
    if (seen[name] !== undefined || document.querySelector(selector) === null) return;
    seen[name] = -1;
    requestAnimationFrame(() => setTimeout(() => { seen[name] = performance.now(); }));
  };
  new MutationObserver(() => {
    note('heading', 'h1');
    note('rows', '[role=row][aria-rowindex="2"]');
  }).observe(document, { childList: true, subtree: true });
})();`;

/** Resolves when both were drawn; after a minute, rejects with the content of the page. */
const BOTH_SEEN = `new Promise((resolve, reject) => {
  const look = () => {
    const { heading, rows } = globalThis.benchSeen;
    if (heading > 0 && rows > 0) resolve({ heading, rows });
    else if (performance.now() > 60_000) reject(new Error('no rows within a minute, but: ' + document.body.innerText.slice(-500)));
    else setTimeout(look, 50);
  };
  look();
})`;

/** Opens the list of detections in a new browser profile. */
export async function loadList(
  browser: Browser,
  url: string,
  storageState: Cookies,
  { cpuSlowdown, line }: Conditions,
): Promise<ListLoad> {
  const context = await browser.newContext({ storageState });
  try {
    const page = await context.newPage();
    const protocol = await context.newCDPSession(page);
    await protocol.send('Performance.enable', { timeDomain: 'threadTicks' });
    if (cpuSlowdown !== undefined) await protocol.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
    await page.addInitScript(NOTE_LIST);
    await slowDown(protocol, line);
    await page.goto(`${url}/detections`, { waitUntil: 'commit' });
    const seen = await page.evaluate<{ heading: number; rows: number }>(BOTH_SEEN);
    const { metrics } = await protocol.send('Performance.getMetrics');
    const taskSeconds = metrics.find(({ name }) => name === 'TaskDuration')?.value;
    if (taskSeconds === undefined) throw new Error('Chromium reports no TaskDuration');
    return { ...seen, processor: taskSeconds * 1_000 };
  } finally {
    await context.close();
  }
}

/** Throttles the network of a page. */
export async function slowDown(protocol: CDPSession, line: typeof SLOW_LINE | undefined): Promise<void> {
  if (line === undefined) return;
  await protocol.send('Network.enable');
  await protocol.send('Network.emulateNetworkConditions', line);
}
