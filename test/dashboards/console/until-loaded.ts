import type { Page } from 'playwright-core';

/** Waits until the page shows no loading indicator, neither of a list nor of a plot. */
export async function untilLoaded(page: Page): Promise<void> {
  const waits = page.getByRole('progressbar').or(page.getByText(/^Loading /));
  while ((await waits.count()) > 0) await waits.first().waitFor({ state: 'detached' });
}
