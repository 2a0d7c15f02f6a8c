import { Notifications, notifications } from '@mantine/notifications';

/** The notifications, in a separate file that `notify.ts` loads. */
export function NotificationList() {
  return <Notifications position="bottom-right" autoClose={6_000} />;
}

export { notifications };
