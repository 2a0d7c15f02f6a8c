import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EMULATES_MEDIA, useChromium } from '#test/support/chromium.ts';
import { useConsoleServer } from '#test/support/console-server.ts';
import { makeSamlKeyPair } from '#test/support/services/saml-identity-provider.ts';
import { visitEveryDialog } from './every-dialog.ts';
import { type Made, somethingEverywhere, visitEveryPage } from './every-page.ts';

/**
 * Tests the contrast in dark mode and the dialogs. Apart from colors the dark pages are the same as the light pages of
 * phone.long.test.ts.
 */

/** A receiver that rejects every message with 422. */
const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(422).end('no'));
});
const server = await useConsoleServer({
  OUTBOUND_ALLOW: '127.0.0.0/8',
  IDENTITY_PROVIDERS: JSON.stringify([
    {
      id: 'corp',
      name: 'Corporate sign-in',
      protocol: 'saml',
      entityId: 'https://idp.example.org',
      signInUrl: 'https://idp.example.org/sso',
      certificates: [(await makeSamlKeyPair('idp.example.org')).certificate],
      allowedDomains: ['example.org'],
    },
  ]),
});
const chromium = useChromium();
const PATIENCE_MS = 900_000;

let made: Made;
beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  made = await somethingEverywhere(server);
}, 600_000);
afterAll(() => new Promise((resolve) => receiver.close(resolve)));

test.runIf(EMULATES_MEDIA)(
  'every page has readable contrast in dark mode, on a phone and on a wide screen',
  async () => {
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
  PATIENCE_MS,
);

test.runIf(EMULATES_MEDIA)(
  'every dialog is accessible on a phone, in light and dark mode',
  async () => {
    const watched = await chromium.open({ phone: true });
    const { page, problems } = watched;
    const wrong: string[] = [];
    const { port } = receiver.address() as AddressInfo;
    await visitEveryDialog(server, watched, { made, receiver: `http://127.0.0.1:${port}/in` }, async (dialog) => {
      const light = await watched.inaccessible();
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.waitForSelector('[data-mantine-color-scheme="dark"]', { state: 'attached' });
      const dark = await watched.inaccessible('colors');
      await page.emulateMedia({ colorScheme: 'light' });
      wrong.push(...[...light, ...dark].map((one) => `${dialog}: ${one}`));
    });
    expect(wrong).toEqual([]);
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);
