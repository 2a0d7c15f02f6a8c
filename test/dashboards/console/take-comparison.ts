import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { withDocumentedConsole } from './documented-console.ts';
import { untilLoaded } from './until-loaded.ts';

// Takes the pictures of docs/contributing/console-before-and-after.md:
// `node_modules/.bin/node test/dashboards/console/take-comparison.ts FOLDER`. For pictures of an earlier commit, copy
// this file and the two files that it imports into a checkout of that commit.

const DESKTOP = { width: 1_280, height: 800 };
const PHONE = { width: 390, height: 844 };
/** Quality of WebP, 0 to 100. Below this value the letters have halos. */
const WEBP_QUALITY = 82;

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: take-comparison.ts FOLDER');
await mkdir(folder, { recursive: true });

await withDocumentedConsole(async ({ url, browser, detection, signedIn }) => {
  const options = { locale: 'en-GB', timezoneId: 'UTC', viewport: DESKTOP } as const;
  const visitor = await (await browser.newContext(options)).newPage();
  const light = await (await signedIn({ viewport: DESKTOP })).newPage();
  const dark = await (await signedIn({ viewport: DESKTOP, colorScheme: 'dark' })).newPage();
  const phone = await (await signedIn({ viewport: PHONE })).newPage();
  for (const [name, page, address, heading] of [
    ['sign-in', visitor, '/sign-in', /Sign in/],
    ['detections', light, '/detections', 'Detections'],
    ['detections-dark', dark, '/detections', 'Detections'],
    ['detection', light, `/detections/${detection}`, /probe/i],
    ['detection-phone', phone, `/detections/${detection}`, /probe/i],
    ['events-dark', dark, '/events', 'Events'],
    ['hosts', light, '/hosts', 'Hosts'],
    ['rule', light, '/rules/instruction-pointer-probe', 'Instruction pointer probe'],
    ['workflow', light, '/workflows/enrich-detection', 'enrich-detection'],
    ['system-dark', dark, '/dashboard', 'System'],
  ] as const) {
    await page.goto(`${url}${address}`);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await untilLoaded(page);
    await takePicture(page, path.join(folder, `${name}.webp`));
  }
});

/** Writes a WebP picture, a format that Playwright does not support. */
async function takePicture(page: Page, file: string): Promise<void> {
  const protocol = await page.context().newCDPSession(page);
  const { data } = await protocol.send('Page.captureScreenshot', { format: 'webp', quality: WEBP_QUALITY });
  await writeFile(file, Buffer.from(data, 'base64'));
  await protocol.detach();
}
