import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { launchChromium } from '../../support/chromium.ts';
import { startMailbox } from '../../support/services/mailbox.ts';
import { startTrapline } from '../../support/trapline-process.ts';

const PERSON = { username: 'ada', email: 'ada@example.org', password: 'correct horse battery staple 7' };

/** Time limit of a step, in milliseconds, long enough for a loaded machine. */
const WAIT_MS = 180_000;

/**
 * A separate Trapline server with the bundled attack and a released workflow, for the pictures of the documentation.
 */
export interface DocumentedConsole {
  readonly url: string;
  readonly browser: Browser;
  /** Id of the newest detection. */
  readonly detection: string;
  /** Opens a browser context that is signed in as an administrator. */
  signedIn(options?: BrowserContextOptions): Promise<BrowserContext>;
}

export async function withDocumentedConsole(use: (console: DocumentedConsole) => Promise<void>): Promise<void> {
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
      if (!response.ok)
        throw new Error(`${method} ${address} was answered ${response.status}: ${await response.text()}`);
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
    if (data[0] === undefined) throw new Error('the bundled attack was not detected');
    const yamlContent = await readFile(
      new URL('../../../examples/workflows/enrich-detection.yaml', import.meta.url),
      'utf8',
    );
    await call('PUT', '/api/v1/workflows/enrich-detection', { yamlContent });

    await use({
      url,
      browser,
      detection: data[0].id,
      async signedIn(options = {}) {
        const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...options });
        context.setDefaultTimeout(WAIT_MS);
        await context.request.post(`${url}/api/auth/callback/credentials`, { data: { email, password } });
        return context;
      },
    });
  } finally {
    await browser.close();
    await trapline.endAll();
    await mailbox.stop();
  }
}
