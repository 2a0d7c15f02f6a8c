import { useEffect, useSyncExternalStore } from 'react';
import { loadedNotifications, loadNotifications, watchNotifications } from '../parts/notify.ts';

const USED = ['pointerdown', 'keydown'] as const;
/** Delay in browsers that do not report when they are idle. */
const PAUSE_MS = 2_000;

/**
 * Container of notifications. Their code is loaded when the first page is complete and the browser is idle, or at the
 * first key press or pointer press. The first page does not wait for it. If the server becomes unreachable before the
 * first press, the code is already loaded.
 */
export function NotificationHost() {
  const loaded = useSyncExternalStore(watchNotifications, loadedNotifications);
  useEffect(() => {
    const used = new AbortController();
    const load = () => {
      if (used.signal.aborted) return;
      used.abort();
      loadNotifications().catch(() => {}); // Retried when there is a notification.
    };
    const loadWhenIdle = () =>
      'requestIdleCallback' in globalThis ? requestIdleCallback(load) : setTimeout(load, PAUSE_MS);
    for (const name of USED) addEventListener(name, load, { signal: used.signal, capture: true });
    if (document.readyState === 'complete') loadWhenIdle();
    else addEventListener('load', loadWhenIdle, { signal: used.signal });
    return () => used.abort();
  }, []);
  return loaded === undefined ? null : <loaded.NotificationList />;
}
