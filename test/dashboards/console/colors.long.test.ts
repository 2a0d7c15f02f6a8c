import { expect, test } from 'vitest';
import { EMULATES_MEDIA, useChromium } from '#test/support/chromium.ts';
import { useConsoleServer } from '#test/support/console-server.ts';
import { somethingEverywhere, visitEveryPage } from './every-page.ts';

/** Contrast in the dark, which is all that differs from the light pages of phone.long.test.ts. */

const server = await useConsoleServer();
const chromium = useChromium();

test.runIf(EMULATES_MEDIA)(
  'every page can be read in the dark, on a phone and on a wide screen',
  async () => {
    const made = await somethingEverywhere(server);
    const wrong: string[] = [];
    for (const phone of [true, false]) {
      const watched = await chromium.open({ phone, dark: true });
      await visitEveryPage(server, watched, made, async (address) => {
        wrong.push(...(await watched.inaccessible('colors')).map((one) => `${address}: ${one}`));
      });
      expect(watched.problems).toEqual([]);
    }
    expect(wrong).toEqual([]);
  },
  900_000,
);
