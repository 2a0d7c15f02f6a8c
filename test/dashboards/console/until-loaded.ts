import type { Page } from 'playwright-core';

/** Waits until nothing is being waited for any more: neither a list nor a plot. */
export async function untilLoaded(page: Page): Promise<void> {
  const waits = page.getByRole('progressbar').or(page.getByText(/^Loading /));
  while ((await waits.count()) > 0) await waits.first().waitFor({ state: 'detached' });
}
