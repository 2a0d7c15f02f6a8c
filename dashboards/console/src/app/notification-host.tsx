import { useEffect, useSyncExternalStore } from 'react';
import { loadedNotifications, loadNotifications, watchNotifications } from '../parts/notify.ts';

const USED = ['pointerdown', 'keydown'] as const;

/**
 * Where notifications appear. They follow what a user does, so their code is loaded at the first press of a key or the pointer: the first
 * page does not wait for it, and it is here when the server becomes unreachable later.
 */
export function NotificationHost() {
  const loaded = useSyncExternalStore(watchNotifications, loadedNotifications);
  useEffect(() => {
    const used = new AbortController();
    const load = () => {
      used.abort();
      loadNotifications().catch(() => {}); // Tried again when there is a notification.
    };
    for (const name of USED) addEventListener(name, load, { signal: used.signal, capture: true });
    return () => used.abort();
  }, []);
  return loaded === undefined ? null : <loaded.NotificationList />;
}
