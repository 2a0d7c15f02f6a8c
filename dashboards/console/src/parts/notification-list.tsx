import { Notifications, notifications } from '@mantine/notifications';

/** The notifications, in a file of their own: `notify.ts` loads it. */
export function NotificationList() {
  return <Notifications position="bottom-right" autoClose={6_000} />;
}

export { notifications };
