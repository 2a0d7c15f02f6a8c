import { answers } from '../api/answers.ts';
import { unreachable } from '../api/failure.ts';

const NAME = 'PageLoadError';
const RELOADED = 'trapline-reloaded';

/**
 * Renames load errors of page code before the router handles them. The router would reload the console even if the
 * server is unreachable. `PageFailure` decides instead.
 */
export function renameLoadErrors(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    payload.name = NAME;
    payload.message = `page not loaded: ${payload.message}`;
  });
}

/**
 * Resolves with the error to show. If the server responds, it has a different version of the console. The console is
 * then reloaded, once per missing file.
 */
export async function handleLoadError(error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || error.name !== NAME) return error;
  if (!(await answers())) return unreachable();
  if (sessionStorage.getItem(RELOADED) !== error.message) {
    sessionStorage.setItem(RELOADED, error.message);
    location.reload();
  }
  return error;
}
