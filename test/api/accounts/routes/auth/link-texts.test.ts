import { readFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { WEAKNESS_TEXTS } from '#api/accounts/passwords/password-policy.ts';

const PAGES = new URL('../../../../../api/accounts/routes/auth/pages/', import.meta.url);
const SCRIPTS = ['link-form.js', 'reset-password.js', 'confirm-email.js', 'set-up.js'];

/** The text between the tags of a page, and the text that its scripts show. */
async function textsOf(file: string): Promise<string[]> {
  const source = await readFile(new URL(file, PAGES), 'utf8');
  const found = file.endsWith('.html')
    ? source.replaceAll(/<noscript>.*?<\/noscript>/gs, '').matchAll(/>([^<>]*[A-Za-z][^<>]*)</g)
    : source.matchAll(/(?:show|translate)\('([^']+)'/g);
  return [...found].map(([, text = '']) => text.trim());
}

test('every text of the pages that links lead to has a German translation', async () => {
  vi.stubGlobal('localStorage', { getItem: () => 'de' });
  vi.stubGlobal('navigator', { languages: ['en'] });
  vi.stubGlobal('document', { documentElement: {} });
  try {
    const { translate } = (await import(`${new URL('link-texts.js', PAGES)}`)) as { translate(text: string): string };
    const texts = (
      await Promise.all(['reset-password.html', 'confirm-email.html', 'set-up.html', ...SCRIPTS].map(textsOf))
    ).flat();
    expect(texts.length).toBeGreaterThan(25);
    const weak = Object.values(WEAKNESS_TEXTS).map((why) => `This password can't be used: it ${why}.`);
    expect([...texts, ...weak].filter((text) => translate(text) === text)).toEqual([]);
    expect(translate(' another text ')).toBe(' another text ');
  } finally {
    vi.unstubAllGlobals();
  }
});
