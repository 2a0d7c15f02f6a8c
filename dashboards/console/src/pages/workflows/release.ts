import { call } from '../../api/client.ts';
import { Failure, type Issue } from '../../api/failure.ts';

export interface Released {
  readonly released: boolean;
  readonly version: string;
  readonly warnings: readonly Issue[];
}

/** Releases a definition. Returns problems of the text as issues, and throws all other errors (see `isOvertaken`). */
export async function releaseWorkflow(
  slug: string,
  body: { readonly yamlContent: string; readonly version?: string; readonly notes?: string },
  /** ETag of the version on which the definition is based. Null: not checked. */
  etag: string | null,
): Promise<Released | { readonly issues: readonly Issue[] }> {
  try {
    const { released, version, warnings } = await call('put', '/api/v1/workflows/{id}', {
      path: { id: slug },
      headers: etag === null ? {} : { 'if-match': etag },
      body,
    });
    return { released, version: version.version, warnings };
  } catch (error) {
    if (
      error instanceof Failure &&
      error.status === 400 &&
      error.issues.some(({ field }) => field.startsWith('yamlContent'))
    )
      return { issues: error.issues };
    throw error;
  }
}

/** Returns the path of an issue in the definition, for example `do.0.fetch`. */
export function placeOf({ field }: Issue): string {
  return field.replace(/^yamlContent\.?/, '');
}
