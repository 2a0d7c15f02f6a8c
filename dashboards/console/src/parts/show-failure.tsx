import { notifications } from '@mantine/notifications';
import { adviceFor, Failure } from '../api/failure.ts';
import { titleOf } from './failure-notice.tsx';

/** Tells of a failed action in the corner, until it is closed; for failures of a whole page there is `FailureNotice`. */
export function showFailure(error: unknown): void {
  const message = error instanceof Failure ? `${error.message}. ${adviceFor(error)}` : String(error);
  notifications.show({
    color: 'red',
    title: titleOf(error),
    message,
    autoClose: false,
    role: 'alert',
    closeButtonProps: { 'aria-label': 'Close' },
  });
}

/** Says that something was done. */
export function showDone(message: string): void {
  notifications.show({ color: 'green', message, role: 'status', closeButtonProps: { 'aria-label': 'Close' } });
}
