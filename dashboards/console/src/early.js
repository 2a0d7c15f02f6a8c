// Runs before the console is loaded: applies the colour scheme, so that the first paint has it, and loads the page again when a file of the
// console could not be loaded. Plain JavaScript without imports: it must work when nothing else does.
(() => {
  const RETRY_MS = 2_000;
  const MAX_RELOADS = 30;
  const RELOADS = 'trapline-start-reloads';
  let scheme = null;
  try {
    scheme = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // Without storage: the scheme of the system.
  }
  const dark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');

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

  // Errors of elements do not bubble.
  addEventListener('error', onError, true);
  addEventListener(
    'trapline:started',
    () => {
      removeEventListener('error', onError, true);
      sessionStorage.removeItem(RELOADS);
    },
    { once: true },
  );
})();
