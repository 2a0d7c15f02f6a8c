import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, chromium, firefox, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { browserProgram, findProgram } from './install-programs.mjs';

/** `TEST_BROWSER=firefox` runs the journeys in the Firefox of the machine. */
export const IN_FIREFOX = process.env.TEST_BROWSER === 'firefox';
/** Whether a page can be shown as on paper. Firefox from Debian cannot be asked to. */
export const EMULATES_MEDIA = !IN_FIREFOX;
/** Whether a test can add a passkey. Firefox has no authenticator for tests over WebDriver BiDi. */
export const HAS_AUTHENTICATOR = !IN_FIREFOX;
const FIREFOX_PROGRAMS = ['firefox-esr', 'firefox'];
/** Firefox has preferences for the whole browser, not for one page. */
const FIREFOX_PREFERENCES = { 'ui.prefersReducedMotion': 1, 'ui.systemUsesDarkTheme': 0 };

const ARGUMENTS = [
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-dev-shm-usage',
];
const DESKTOP = { width: 1_280, height: 800 };
/** Patience with a machine that does everything at once; nothing is measured by it. */
const WAIT_MS = 90_000;

/** A page in a real browser, and what went wrong in it. */
export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of the console, exceptions, violations of the content security policy; a journey ends with none. */
  readonly problems: string[];
  /** What axe finds wrong with the page as it is, a line each: WCAG 2.2 A and AA, and good practice. */
  inaccessible(what?: AccessibilityCheck): Promise<string[]>;
}

/** `colors`: only contrast, all that depends on light or dark. While a dialog is open only the dialog is looked at: the page beneath cannot be used. */
export type AccessibilityCheck = 'everything' | 'colors';

/**
 * Playwright writes into an input through the property that React watches, so that React sees no change: `execCommand` writes as a
 * keyboard does. The setter keeps Playwright from putting its own function back.
 */
const INSERT_LIKE_A_PERSON = `Object.defineProperty(globalThis, '__pw_bidiInsertText', {
  configurable: true,
  get: () => (text) => document.execCommand('insertText', false, text),
  set() {},
});`;

/** Firefox over WebDriver BiDi, which needs no changes to it. */
function launchFirefox(): Promise<Browser> {
  const executablePath = FIREFOX_PROGRAMS.map((name) => findProgram(name)).find((found) => found !== undefined);
  if (executablePath === undefined) throw new Error('no Firefox on the PATH: apt-get install firefox-esr');
  return firefox.launch({ executablePath, channel: 'moz-firefox', firefoxUserPrefs: FIREFOX_PREFERENCES });
}

/** The browser of the machine, without a window. */
export function launchChromium(): Promise<Browser> {
  const executablePath = browserProgram();
  if (executablePath === undefined) throw new Error('no Chromium on the PATH: npm test installs it on Debian as root');
  // As root, in containers of CI too, Chromium refuses to run with its sandbox; it is shown nothing but our own pages.
  return chromium.launch({ executablePath, args: ARGUMENTS, chromiumSandbox: process.getuid?.() !== 0 });
}

let visitors = 0;

/** Chromium for the tests of a file. Each page has cookies of its own and, behind a trusted proxy, an address of its own. */
export function useChromium(): { open(options?: { phone?: boolean; dark?: boolean }): Promise<WatchedPage> } {
  let browser: Browser;
  beforeAll(async () => {
    browser = await (IN_FIREFOX ? launchFirefox() : launchChromium());
  });
  afterAll(() => browser?.close());

  return {
    async open({ phone = false, dark = false } = {}) {
      visitors += 1;
      const context = await browser.newContext({
        viewport: phone ? { width: 390, height: 844 } : DESKTOP,
        ...(IN_FIREFOX
          ? { colorScheme: null, reducedMotion: null, forcedColors: null, contrast: null }
          : { colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' }),
        locale: 'en-GB',
        timezoneId: 'UTC',
        extraHTTPHeaders: { 'x-forwarded-for': `198.51.100.${visitors}` },
      });
      if (IN_FIREFOX) await context.addInitScript(INSERT_LIKE_A_PERSON);
      else await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      context.setDefaultTimeout(WAIT_MS);
      const page = await context.newPage();
      return { page, context, problems: watch(page), inaccessible: (what = 'everything') => inaccessible(page, what) };
    },
  };
}

/** How Firefox reports a download of a page that was left before it ended (NS_BINDING_ABORTED): of the font, which is loaded last. */
const LEFT_DURING_DOWNLOAD = 'status=2152398850';
/** And of a stream of events that was open then. */
const LEFT_DURING_STREAM = 'was interrupted while the page was loading';

function watch(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => {
    if (!message.includes(LEFT_DURING_DOWNLOAD) && !message.includes(LEFT_DURING_STREAM))
      problems.push(`exception: ${message}`);
  });
  page.on('console', (message) => {
    const { url, lineNumber, columnNumber } = message.location();
    // Chromium itself reports every answer of 400 and more as an error; what the console makes of a refusal is for the journey to look at.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(`console: ${message.text()} (${url}:${lineNumber}:${columnNumber})`);
  });
  return problems;
}

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** In the browser: the dialog on top, where one is open that lets nothing else be reached. */
const OPEN_DIALOG = `[...document.querySelectorAll('[role=dialog][aria-modal=true]')].findLast((one) => one.checkVisibility())`;

async function inaccessible(page: Page, what: AccessibilityCheck): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(await axeSource);
  // No enabled rule reads style sheets, which `preload` would fetch again.
  const options = { resultTypes: ['violations'], preload: false };
  const chosen = what === 'colors' ? { ...options, runOnly: ['color-contrast', 'link-in-text-block'] } : options;
  const { violations } = (await page.evaluate(
    `(async () => axe.run(${OPEN_DIALOG} ?? document, ${JSON.stringify(chosen)}))()`,
  )) as AxeResults;
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)} (${failureSummary ?? ''})`),
  );
}
