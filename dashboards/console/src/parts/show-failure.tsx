import { adviceFor, Failure, titleFor } from '../api/failure.ts';
import { notify } from './notify.ts';
import { PARTS_TEXT } from './text.ts';

/** Shows a failed action as a notification until the user closes it. Failures of a whole page use `FailureNotice`. */
export function showFailure(error: unknown): void {
  const message = error instanceof Failure ? messageOf(error) : String(error);
  notify({
    color: 'red',
    title: titleFor(error),
    message,
    autoClose: false,
    role: 'alert',
    closeButtonProps: { 'aria-label': PARTS_TEXT.close },
  });
}

/** Returns the message and the advice. Only the advice if the server did not respond. */
function messageOf(failure: Failure): string {
  const advice = adviceFor(failure);
  return failure.status === 0 ? advice : PARTS_TEXT.failure.toast(failure.message, advice);
}

/** Shows a completed action as a notification. */
export function showDone(message: string): void {
  notify({ color: 'green', message, role: 'status', closeButtonProps: { 'aria-label': PARTS_TEXT.close } });
}
