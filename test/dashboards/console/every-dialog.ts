import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { WatchedPage } from '#test/support/chromium.ts';
import { englishCatalogues, isRecord, wordsOf } from '#test/support/console-catalogues.ts';
import type { ConsoleServer } from '#test/support/console-server.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { type DialogSite, titleNamesOf } from './dialog-sites.ts';
import { makeDialogSubjects } from './dialog-subjects.ts';
import { dialogsOf, type Step } from './dialogs.ts';
import { type Made, openInConsole } from './every-page.ts';

async function take(page: Page, step: Step): Promise<void> {
  // While a dialog is open, only its own elements can be reached.
  const dialog = page.getByRole('dialog');
  const before = await titleOf(page);
  const within = before === undefined ? page : dialog.last();
  if ('key' in step) await page.keyboard.press(step.key);
  else if ('closed' in step) await expect.poll(() => dialog.count(), { timeout: 90_000 }).toBe(0);
  else if ('minutesLater' in step)
    await page.evaluate(
      `Date.now = () => Math.round(performance.timeOrigin + performance.now()) + ${step.minutesLater * 60_000}`,
    );
  else if ('withoutClipboard' in step)
    await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined })`);
  else if ('fill' in step) await within.getByLabel(step.fill).fill(step.value);
  else if ('select' in step) await within.getByLabel(step.select, { exact: true }).selectOption(step.value);
  else if ('row' in step)
    await page.getByRole('grid', { name: step.row, exact: true }).locator(`[data-index="${step.index}"]`).click();
  else {
    const { button: name } = step;
    await within
      .getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) })
      .first()
      .click();
  }
  if (!('opens' in step) && !('key' in step)) return;
  if ('opens' in step && !step.opens) return;
  // A step can replace one dialog with another.
  await expect.poll(() => titleOf(page), { timeout: 90_000 }).not.toBe(before);
  await dialog.last().waitFor();
}

/** Returns the title of the topmost dialog, or undefined if no dialog is open. */
async function titleOf(page: Page): Promise<string | undefined> {
  const dialogs = await page.getByRole('dialog').all();
  return (await dialogs.at(-1)?.getByRole('heading').allTextContents())?.at(0);
}

/**
 * Opens every dialog in turn, signed in as an administrator, and calls `look` while it is open. `dialogs.test.ts`
 * compares this list of dialogs with the source.
 */
export async function visitEveryDialog(
  server: ConsoleServer,
  watched: WatchedPage,
  { made, receiver }: { readonly made: Made; readonly receiver: string },
  look: (dialog: string) => Promise<void>,
): Promise<void> {
  const { page, context } = watched;
  const administrator = await server.visit(watched, 'admin', '/first-steps');
  const dialogs = dialogsOf(await makeDialogSubjects(server, { made, context, administrator, receiver }));
  const texts = [...(await englishCatalogues()).values()];
  const failed: string[] = [];
  for (const [index, { site, address, steps }] of dialogs.entries()) {
    // Each dialog has its own client address: otherwise the console slows down before it reaches the rate limit of one
    // address.
    await context.setExtraHTTPHeaders({ 'x-forwarded-for': `198.51.100.${index + 1}` });
    try {
      await page.evaluate('Date.now = () => Math.round(performance.timeOrigin + performance.now())');
      await openInConsole(page, '/profile');
      await openInConsole(page, address);
      await page.getByRole('heading', { level: 1 }).waitFor();
      for (const step of steps) await take(page, step);
      const title = (await titleOf(page)) ?? '';
      if (!isTitleOf(site, title, texts)) failed.push(`${site} does not have the title ${title}`);
      await look(`${address}: ${title}`);
      // The first Escape can close a list of suggestions inside the dialog.
      await waitFor(`${address}: ${title} to close`, async () => {
        await page.keyboard.press('Escape');
        return (await page.getByRole('dialog').count()) === 0;
      });
    } catch (error) {
      failed.push(`${site}: ${error instanceof Error ? error.message : String(error)}`);
      // Loads another page, which closes all dialogs before the next one is opened.
      await page.goto(`${server.url}/profile`);
    }
  }
  expect(failed).toEqual([]);
}

/** True if the title contains words that a catalogue has under one of the keys of the dialog's title. */
function isTitleOf(site: DialogSite, title: string, texts: readonly unknown[]): boolean {
  const names = titleNamesOf(site);
  const known = names.flatMap((name) => texts.flatMap((catalogue) => valuesUnder(name, catalogue))).flatMap(wordsOf);
  return title !== '' && (known.length === 0 || known.some((words) => title.includes(words)));
}

function valuesUnder(name: string, texts: unknown): unknown[] {
  if (!isRecord(texts)) return [];
  return Object.entries(texts).flatMap(([key, value]) => (key === name ? [value] : valuesUnder(name, value)));
}
