// Runs before everything else: applies the colour scheme, so that the first paint has it, asks for what the first page needs while the console is loaded, and
// loads the page again when a file of the console could not be loaded. Plain JavaScript without imports: it must work when nothing else does.
(() => {
  const RETRY_MS = 2_000;
  const MAX_RELOADS = 30;
  const RELOADS = 'trapline-start-reloads';
  /** Pages without a session. */
  const OUTSIDE = ['/sign-in', '/register', '/forgot-password'];
  let scheme = null;
  try {
    scheme = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // Without storage: the scheme of the system.
  }
  const dark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');

  // Written by build/preload-start.ts: the font, and the files of pages by their path.
  const { font, pages } = JSON.parse(document.currentScript?.dataset.files ?? '{"pages":{}}');

  function preload(rel, href, more = {}) {
    document.head.append(Object.assign(document.createElement('link'), { rel, crossOrigin: '', href, ...more }));
  }

  const loaded = new Set();
  /** Fetches the font after the scripts, which the page cannot do without. Events of elements do not bubble. */
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

  // Answers that are not there yet when the console asks for them; src/api/early-answers.ts takes them.
  const answers = new Map();
  globalThis.traplineEarly = answers;

  function ask(address) {
    const answer = fetch(address, { headers: { accept: 'application/json' } });
    answers.set(address, { answer, askedAt: performance.now() });
    return answer;
  }

  /** The session decides which page is shown: only its files and its list are fetched. */
  async function begin() {
    const { pathname, search } = location;
    const path = pathname === '/' ? '/detections' : pathname;
    if (OUTSIDE.includes(path)) return pages[path];
    const session = await ask('/api/user/data');
    if (session.status === 401) return pages['/sign-in'];
    if (!session.ok) return [];
    const { role } = await session.clone().json();
    if (path !== '/detections' || role === 'user') return pages['/'];
    if (search === '') ask('/api/detections?limit=100').catch(() => {});
    return pages[path];
  }

  begin()
    .then((files = []) => {
      for (const file of files) preload('modulepreload', file);
    })
    // The console asks again, and reports why it failed.
    .catch(() => {});

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

  /** Loads the page again when the server responds. Gives up when the file is missing time after time although it does. */
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
