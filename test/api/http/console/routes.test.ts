import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { type Description, examine } from '../../description.ts';
import { ADMIN_KEY, runApp } from '../../running-app.ts';

const HTML =
  '<html><meta property="csp-nonce" nonce="%NONCE%"><meta name="trapline-command" content="%COMMAND%"><script src="/assets/index-a1.js"></script></html>';

async function served(requestSinks: ((record: { readonly route: string }) => void)[] = []) {
  const folder = await mkdtemp(path.join(tmpdir(), 'trapline-console-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(path.join(folder, 'assets'));
  await writeFile(path.join(folder, 'index.html'), HTML);
  await writeFile(path.join(folder, 'sections.json'), '["admin","detections","workflows"]');
  await writeFile(path.join(folder, 'icon.svg'), '<svg/>');
  await writeFile(path.join(folder, 'assets/index-a1.js'), 'const a = 1;');
  await writeFile(path.join(folder, 'assets/index-a1.js.gz'), gzipSync('const a = 1;'));
  return runApp({ deps: { console: { folder, command: 'npx <trapline>' }, requestSinks } });
}

test('every console path returns the page, each time with a new nonce', async () => {
  const { url } = await served();
  const nonces = new Set<string>();
  for (const address of ['/', '/detections', '/detections/det_1?tab=history', '/workflows/a/b/c']) {
    const response = await fetch(`${url}${address}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    expect(await response.text()).toBe(HTML.replace('%NONCE%', nonce).replace('%COMMAND%', 'npx &lt;trapline&gt;'));
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(4);
});

test('files have their content type and are cached by browsers; unknown files are a 404 envelope', async () => {
  const { url } = await served();
  const script = await fetch(`${url}/assets/index-a1.js`, { headers: { 'accept-encoding': 'identity' } });
  expect(script.headers.get('content-type')).toMatch(/javascript/);
  expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(await script.text()).toBe('const a = 1;');
  const icon = await fetch(`${url}/icon.svg`);
  expect(icon.headers.get('content-type')).toMatch(/svg/);
  for (const address of ['/assets/none.js', '/assets/..%2Findex.html', '/nothing', '/detectionsx']) {
    const response = await fetch(`${url}${address}`);
    expect([400, 404]).toContain(response.status);
    expect(await response.json()).toMatchObject({ requestId: expect.any(String) });
  }
});

test('an unknown path returns the page to a browser and the envelope to other clients', async () => {
  const { url } = await served();
  for (const address of ['/nope', '/rule', '/a/b?c=d']) {
    const person = await fetch(`${url}${address}`, {
      headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    });
    expect(person.status).toBe(404);
    expect(person.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(person.headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(await person.text()).toContain('/assets/index-a1.js');
    for (const accept of ['*/*', 'application/json']) {
      const program = await fetch(`${url}${address}`, { headers: { accept } });
      expect(program.status).toBe(404);
      expect(await program.json()).toMatchObject({ issues: [{ code: 'not_found' }] });
    }
  }
  const api = await fetch(`${url}/api/nope?key=value`, { headers: { accept: 'text/html' } });
  expect(await api.json()).toMatchObject({ issues: [{ message: 'no route matches GET /api/nope' }] });
  const posted = await fetch(`${url}/nope`, { method: 'POST', headers: { accept: 'text/html' } });
  expect(await posted.json()).toMatchObject({ issues: [{ code: 'not_found' }] });
});

test('administration paths redirect a browser without a session to the sign-in page, and return 401 to other clients', async () => {
  const { url } = await served();
  const person = await fetch(`${url}/admin/users?role=admin`, { headers: { accept: 'text/html' }, redirect: 'manual' });
  expect(person.status).toBe(302);
  expect(person.headers.get('location')).toBe('/sign-in?returnTo=%2Fadmin%2Fusers%3Frole%3Dadmin');
  expect((await fetch(`${url}/dashboard`)).status).toBe(401);
});

test('only rejected requests for pages and files are logged as API requests', async () => {
  const logged: string[] = [];
  const { url } = await served([({ route }) => logged.push(route)]);
  for (const address of ['/', '/detections', '/icon.svg', '/assets/index-a1.js', '/assets/none.js', '/admin/users'])
    await (await fetch(`${url}${address}`)).text();
  expect(logged).toEqual(['/assets/:file', '/:section/*']);
});

test('the routes are described like all others', async () => {
  const { url } = await served();
  const response = await fetch(`${url}/api/docs`, { headers: { 'x-admin-key': ADMIN_KEY } });
  expect(examine((await response.json()) as Description).wrong).toEqual([]);
});
