// Runs before all other code. Applies the colour scheme for the first paint, and requests what the first page needs
// while the console is loaded. Reloads the page if a file of the console could not be loaded. Plain JavaScript without
// imports, because it must work even if nothing else does.
(() => {
  const RETRY_MS = 2_000;
  const MAX_RELOADS = 30;
  const RELOADS = 'trapline-start-reloads';
  /** Pages without a session. */
  const OUTSIDE = ['/sign-in', '/register', '/forgot-password'];
  let scheme = null;
  let keptRole = null;
  try {
    scheme = localStorage.getItem('mantine-color-scheme-value');
    keptRole = localStorage.getItem('trapline-role');
  } catch {
    // Without storage: uses the system's colour scheme, and requests the list after the session.
  }
  const dark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');

  // Written by build/preload-start.ts: the font, and the files of pages by their path.
  const { font, pages } = JSON.parse(document.currentScript?.dataset.files ?? '{"pages":{}}');

  function preload(rel, href, more = {}) {
    document.head.append(Object.assign(document.createElement('link'), { rel, crossOrigin: '', href, ...more }));
  }

  const loaded = new Set();
  /** Fetches the font after the scripts, because the page needs the scripts first. Events of elements do not bubble. */
  function onLoad({ target }) {
    loaded.add(target);
    if (
      font === undefined ||
      ![...document.querySelectorAll('link[rel=modulepreload]')].every((link) => loaded.has(link))
    )
      return;
    removeEventListener('load', onLoad, true);
    preload('preload', font, { as: 'font', type: 'font/woff2' });
  }

  // Responses that may still be pending when the console needs them. src/api/early-answers.ts reads them.
  const answers = new Map();
  globalThis.traplineEarly = answers;

  function ask(address) {
    const answer = fetch(address, { headers: { accept: 'application/json' } });
    answers.set(address, { answer, askedAt: performance.now() });
    return answer;
  }

  const LIST = '/api/detections?limit=100';
  const preloaded = new Set();

  /** Fetches the files of the page, and its list if there are no filters. Each is fetched once. */
  function fetchPage(path, withList) {
    for (const file of pages[path] ?? []) {
      if (!preloaded.has(file)) preload('modulepreload', file);
      preloaded.add(file);
    }
    if (withList && location.search === '' && !answers.has(LIST)) ask(LIST).catch(() => {});
  }

  /**
   * The session determines which page is shown. Before it is known, the role of the previous session predicts the page:
   * see src/app/kept-role.ts.
   */
  async function begin() {
    const path = location.pathname === '/' ? '/detections' : location.pathname;
    if (OUTSIDE.includes(path)) return fetchPage(path);
    const asked = ask('/api/user/data');
    if (path === '/detections' && ['analyst', 'admin'].includes(keptRole)) fetchPage(path, true);
    const session = await asked;
    if (session.status === 401) return fetchPage('/sign-in');
    if (!session.ok) return;
    const { role } = await session.clone().json();
    if (path !== '/detections' || role === 'user') fetchPage('/');
    else fetchPage(path, true);
  }

  // The console repeats the request and reports the failure.
  begin().catch(() => {});

  let waiting = false;
  function onError({ target }) {
    const needed =
      target instanceof HTMLScriptElement ||
      (target instanceof HTMLLinkElement && ['stylesheet', 'modulepreload'].includes(target.rel));
    if (waiting || !needed) return;
    waiting = true;
    document.documentElement.setAttribute('data-tl-start', 'unreachable');
    setTimeout(retry, RETRY_MS);
  }

  /** Reloads the page when the server responds. Gives up if the file is still missing after several reloads. */
  async function retry() {
    const { ok } = await fetch('/icon.svg', { method: 'HEAD', cache: 'no-store' }).catch(() => ({ ok: false }));
    const reloads = Number(sessionStorage.getItem(RELOADS) ?? 0);
    if (!ok) setTimeout(retry, RETRY_MS);
    else if (reloads < MAX_RELOADS) {
      sessionStorage.setItem(RELOADS, String(reloads + 1));
      location.reload();
    }
  }

  addEventListener('error', onError, true);
  addEventListener('load', onLoad, true);
  addEventListener(
    'trapline:started',
    () => {
      removeEventListener('error', onError, true);
      sessionStorage.removeItem(RELOADS);
    },
    { once: true },
  );
})();
