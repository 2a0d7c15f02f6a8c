import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, chromium, firefox, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { browserProgram, findProgram } from './install-programs.mjs';

/** `TEST_BROWSER=firefox` runs the journeys in the machine's Firefox. */
export const IN_FIREFOX = process.env.TEST_BROWSER === 'firefox';
/** True if the browser can emulate print media. Debian's Firefox cannot. */
export const EMULATES_MEDIA = !IN_FIREFOX;
/** True if a test can add a passkey. Firefox has no virtual authenticator over WebDriver BiDi. */
export const HAS_AUTHENTICATOR = !IN_FIREFOX;
const FIREFOX_PROGRAMS = ['firefox-esr', 'firefox'];
/** Firefox sets these preferences for the whole browser, not for one page. */
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
/** Timeout for a busy machine. No test measures it. */
const WAIT_MS = 90_000;

/** A page in a real browser, and the problems that occurred in it. */
export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors, exceptions and violations of the content security policy. Empty at the end of a journey. */
  readonly problems: string[];
  /**
   * Resolves to the accessibility problems that axe finds in the current page, one per line: WCAG 2.2 A and AA, and
   * best practices.
   */
  inaccessible(what?: AccessibilityCheck): Promise<string[]>;
}

/**
 * `colors`: only the contrast rules, which depend on the light or dark theme. While a dialog is open, only the dialog
 * is checked, because the page beneath is inert.
 */
export type AccessibilityCheck = 'everything' | 'colors';

/**
 * Playwright sets an input's value through the property that React watches, so React notices no change. `execCommand`
 * inserts text as a keyboard does. The setter prevents Playwright from restoring its own function.
 */
const INSERT_LIKE_A_PERSON = `Object.defineProperty(globalThis, '__pw_bidiInsertText', {
  configurable: true,
  get: () => (text) => document.execCommand('insertText', false, text),
  set() {},
});`;

/** Launches Firefox over WebDriver BiDi, which works with an unmodified Firefox. */
function launchFirefox(): Promise<Browser> {
  const executablePath = FIREFOX_PROGRAMS.map((name) => findProgram(name)).find((found) => found !== undefined);
  if (executablePath === undefined) throw new Error('no Firefox on the PATH: apt-get install firefox-esr');
  return firefox.launch({ executablePath, channel: 'moz-firefox', firefoxUserPrefs: FIREFOX_PREFERENCES });
}

/** Launches the machine's Chromium without a window. */
export function launchChromium(): Promise<Browser> {
  const executablePath = browserProgram();
  if (executablePath === undefined) throw new Error('no Chromium on the PATH: npm test installs it on Debian as root');
  // Chromium refuses to run with its sandbox as root, also in CI containers. It opens pages of this project only.
  return chromium.launch({ executablePath, args: ARGUMENTS, chromiumSandbox: process.getuid?.() !== 0 });
}

let visitors = 0;

/**
 * Launches Chromium for the tests of a file. Each page has separate cookies and, behind a trusted proxy, a separate
 * client address.
 */
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

/**
 * Message of Firefox when the page is left during a download (NS_BINDING_ABORTED), here of the font, which is loaded
 * last.
 */
const LEFT_DURING_DOWNLOAD = 'status=2152398850';
/** Message of Firefox when the page is left during an event stream. */
const LEFT_DURING_STREAM = 'was interrupted while the page was loading';

function watch(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => {
    if (!message.includes(LEFT_DURING_DOWNLOAD) && !message.includes(LEFT_DURING_STREAM))
      problems.push(`exception: ${message}`);
  });
  page.on('console', (message) => {
    const { url, lineNumber, columnNumber } = message.location();
    // Chromium logs every response with status 400 or above as an error. The journey checks how the console handles a
    // refusal.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(`console: ${message.text()} (${url}:${lineNumber}:${columnNumber})`);
  });
  return problems;
}

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Expression that runs in the browser: the topmost open modal dialog. */
const OPEN_DIALOG = `[...document.querySelectorAll('[role=dialog][aria-modal=true]')].findLast((one) => one.checkVisibility())`;

async function inaccessible(page: Page, what: AccessibilityCheck): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(await axeSource);
  // `preload` would fetch the style sheets again, and no enabled rule reads them.
  const options = { resultTypes: ['violations'], preload: false };
  const chosen = what === 'colors' ? { ...options, runOnly: ['color-contrast', 'link-in-text-block'] } : options;
  const { violations } = (await page.evaluate(
    `(async () => axe.run(${OPEN_DIALOG} ?? document, ${JSON.stringify(chosen)}))()`,
  )) as AxeResults;
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)} (${failureSummary ?? ''})`),
  );
}
