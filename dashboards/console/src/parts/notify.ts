import type { NotificationData } from '@mantine/notifications';

type Loaded = typeof import('./notification-list.tsx');

let loading: Promise<Loaded> | undefined;
let loaded: Loaded | undefined;
const watchers = new Set<() => void>();

/** Loads the list of notifications once. A failed load is retried at the next call. */
export function loadNotifications(): Promise<Loaded> {
  loading ??= import('./notification-list.tsx').then(
    (list) => {
      loaded = list;
      for (const watcher of watchers) watcher();
      return list;
    },
    (error: unknown) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

/** Returns the list of notifications if it is loaded. */
export function loadedNotifications(): Loaded | undefined {
  return loaded;
}

/** Calls `watcher` when the list is loaded. Returns a function that removes the watcher. */
export function watchNotifications(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Shows a notification once the list is loaded. */
export function notify(notification: NotificationData): void {
  loadNotifications().then(
    ({ notifications }) => notifications.show(notification),
    () => {}, // The server does not respond, which the page itself shows.
  );
}

/** Removes a notification, including one that waits for the list. */
export function removeNotification(id: string): void {
  loading?.then(
    ({ notifications }) => notifications.hide(id),
    () => {}, // No notification is shown.
  );
}
