import { type Caller, userOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';

/** The caller of a query: administrators see everything; users see what they own and what is shared with them. */
export interface Viewer {
  /** Undefined: the operator. */
  readonly userId: string | undefined;
  readonly administrator: boolean;
}

/** The caller of a request, as the rules of sharing see it. Throws 401 without one. */
export function viewerOf({ caller }: { readonly caller?: Caller | undefined }): Viewer {
  if (caller === undefined) throw apiError('unauthorized', 'a valid key or session is needed');
  return { userId: userOf(caller), administrator: caller.role === 'admin' };
}
