import type { NotificationData } from '@mantine/notifications';

type Loaded = typeof import('./notification-list.tsx');

let loading: Promise<Loaded> | undefined;
let loaded: Loaded | undefined;
const watchers = new Set<() => void>();

/** Loads the list of notifications, once. A load that failed is tried again at the next call. */
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

/** The list of notifications, once it is loaded. */
export function loadedNotifications(): Loaded | undefined {
  return loaded;
}

/** Calls `watcher` when the list is loaded; returns what ends that. */
export function watchNotifications(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Shows a notification, as soon as the list is loaded. */
export function notify(notification: NotificationData): void {
  loadNotifications().then(
    ({ notifications }) => notifications.show(notification),
    () => {}, // The server does not respond: the page shows that itself.
  );
}

/** Removes a notification, also one that waits for the list. */
export function removeNotification(id: string): void {
  loading?.then(
    ({ notifications }) => notifications.hide(id),
    () => {}, // Nothing is shown.
  );
}
