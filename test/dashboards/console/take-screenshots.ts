import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { withDocumentedConsole } from './documented-console.ts';
import { untilLoaded } from './until-loaded.ts';

// Takes the pictures of the README again, from a separate Trapline server with the bundled attack:
// `node_modules/.bin/node test/dashboards/console/take-screenshots.ts`.

const FOLDER = fileURLToPath(new URL('../../../dashboards/console/screenshots', import.meta.url));

await withDocumentedConsole(async ({ url, detection, signedIn }) => {
  const page = await (await signedIn({ viewport: { width: 1_280, height: 860 } })).newPage();
  await mkdir(FOLDER, { recursive: true });
  for (const [name, address, heading] of [
    ['detections', '/detections', 'Detections'],
    ['detection', `/detections/${detection}`, /probe/i],
    ['events', '/events', 'Events'],
    ['rules', '/rules', 'Rules'],
    ['workflow', '/workflows/enrich-detection', 'enrich-detection'],
    ['system', '/dashboard', 'System'],
  ] as const) {
    await page.goto(`${url}${address}`);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await untilLoaded(page);
    await page.screenshot({ path: path.join(FOLDER, `${name}.png`) });
  }
});
