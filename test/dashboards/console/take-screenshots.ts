import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchChromium } from '../../support/chromium.ts';
import { startMailbox } from '../../support/services/mailbox.ts';
import { startTrapline } from '../../support/trapline-process.ts';

// Takes the pictures of the README again, from a Trapline of its own with the bundled attack: `node_modules/.bin/node test/dashboards/console/take-screenshots.ts`.

const FOLDER = fileURLToPath(new URL('../../../dashboards/console/screenshots', import.meta.url));
const PERSON = { username: 'ada', email: 'ada@example.org', password: 'correct horse battery staple 7' };

const mailbox = await startMailbox();
const trapline = await startTrapline(['start'], {
  SMTP_URL: mailbox.url,
  MAIL_FROM: 'Trapline <codes@example.org>',
  REGISTRATION: 'open',
});
const browser = await launchChromium();
try {
  await trapline.logged('Ctrl-C');
  const { url } = JSON.parse(await readFile(path.join(trapline.dataDir, 'server.json'), 'utf8')) as { url: string };
  const key = (await readFile(path.join(trapline.dataDir, 'operator.key'), 'utf8')).trim();
  const call = async (method: string, address: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${url}${address}`, {
      method,
      headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${address} was answered ${response.status}: ${await response.text()}`);
    return response.json();
  };

  const { email, username, password } = PERSON;
  await call('POST', '/api/auth/send-otp', { email });
  const otp = await mailbox.find(email, /\b(\d{6})\b/);
  const { user } = (await call('POST', '/api/auth/verify-otp', { username, email, password, otp })) as {
    user: { id: string };
  };
  await call('PATCH', `/api/admin/users/${user.id}`, { role: 'admin' });
  const { data } = (await call('GET', '/api/detections')) as { data: { id: string }[] };
  const yamlContent = await readFile(
    new URL('../../../examples/workflows/enrich-detection.yaml', import.meta.url),
    'utf8',
  );
  await call('PUT', '/api/v1/workflows/enrich-detection', { yamlContent });

  const context = await browser.newContext({
    viewport: { width: 1_280, height: 860 },
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  await context.request.post(`${url}/api/auth/callback/credentials`, { data: { email, password } });
  const page = await context.newPage();
  await mkdir(FOLDER, { recursive: true });
  for (const [name, address, heading] of [
    ['detections', '/detections', 'Detections'],
    ['detection', `/detections/${data[0]?.id}`, /probe/i],
    ['events', '/events', 'Events'],
    ['rules', '/rules', 'Rules'],
    ['workflow', '/workflows/enrich-detection', 'enrich-detection'],
    ['system', '/dashboard', 'System'],
  ] as const) {
    await page.goto(`${url}${address}`);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    // Nothing is being waited for any more: neither a list nor a plot.
    const waits = page.getByRole('progressbar').or(page.getByText(/^Loading /));
    while ((await waits.count()) > 0) await waits.first().waitFor({ state: 'detached' });
    await page.screenshot({ path: path.join(FOLDER, `${name}.png`) });
  }
} finally {
  await browser.close();
  await trapline.endAll();
  await mailbox.stop();
}
