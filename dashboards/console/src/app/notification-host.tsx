import { useEffect, useSyncExternalStore } from 'react';
import { loadedNotifications, loadNotifications, watchNotifications } from '../parts/notify.ts';

const USED = ['pointerdown', 'keydown'] as const;
/** Where a browser does not say when it is idle. */
const PAUSE_MS = 2_000;

/**
 * Where notifications appear. Their code is loaded when the first page is complete and the browser is idle, or at the first press of a key or the
 * pointer: the first page does not wait for it, and it is here when the server becomes unreachable before the first press.
 */
export function NotificationHost() {
  const loaded = useSyncExternalStore(watchNotifications, loadedNotifications);
  useEffect(() => {
    const used = new AbortController();
    const load = () => {
      if (used.signal.aborted) return;
      used.abort();
      loadNotifications().catch(() => {}); // Tried again when there is a notification.
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
