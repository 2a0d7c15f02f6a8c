import { answers } from '../api/answers.ts';
import { unreachable } from '../api/failure.ts';

const NAME = 'PageLoadError';
const RELOADED = 'trapline-reloaded';

/**
 * Renames errors of page code that could not be loaded, before the router sees them: it would reload the console although the server may
 * be unreachable. `PageFailure` decides instead.
 */
export function renameLoadErrors(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    payload.name = NAME;
    payload.message = `page not loaded: ${payload.message}`;
  });
}

/**
 * Resolves to the error to show. When the server responds, it has another version of the console by now, and the console is loaded again;
 * once for each missing file.
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
