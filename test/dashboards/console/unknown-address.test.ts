import { expect, test } from 'vitest';
import { useChromium } from '#test/support/chromium.ts';
import { useConsoleServer } from '#test/support/console-server.ts';

const server = await useConsoleServer();
const chromium = useChromium();
/** A page is loaded twice, each step with a bound of its own. */
const JOURNEY_MS = 120_000;

test(
  'an unknown address shows the not-found page of the console, signed in or not',
  async () => {
    const { page, problems } = await chromium.open();
    for (const address of ['/nope', '/rule']) {
      const response = await page.goto(`${server.url}${address}`);
      expect(response?.status()).toBe(404);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    }
    const signedIn = await chromium.open();
    await server.visit(signedIn, 'analyst', '/nope');
    await signedIn.page.getByRole('heading', { name: 'Page not found' }).waitFor();
    const unexpected = [...problems, ...signedIn.problems].filter((problem) => !problem.includes('404'));
    expect(unexpected).toEqual([]);
  },
  JOURNEY_MS,
);
