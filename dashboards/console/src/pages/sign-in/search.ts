import { localPath } from '#schemas/api/return-path.ts';
import { textParam } from '../../parts/search-params.ts';

/** Returns the URL to open after signing in, which is always a path of this console. */
export function ownAddress(value: unknown): string | undefined {
  const text = textParam(value);
  return text === undefined ? undefined : localPath(text, window.location.origin);
}

export interface SignInSearch {
  readonly returnTo?: string | undefined;
}
