import { type Caller, userOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';

/** The caller of a query. Administrators see everything; users see their own and shared workflows and agents. */
export interface Viewer {
  /** Undefined: the operator. */
  readonly userId: string | undefined;
  readonly administrator: boolean;
}

/** Returns the caller of a request as a viewer. Throws a 401 if the request has no caller. */
export function viewerOf({ caller }: { readonly caller?: Caller | undefined }): Viewer {
  if (caller === undefined) throw apiError('unauthorized', 'a valid key or session is needed');
  return { userId: userOf(caller), administrator: caller.role === 'admin' };
}
