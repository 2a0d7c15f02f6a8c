import { call } from '../../api/client.ts';
import { Failure, type Issue } from '../../api/failure.ts';

export interface Released {
  readonly released: boolean;
  readonly version: string;
  readonly warnings: readonly Issue[];
}

/** Releases a definition. What is wrong with the text itself comes back as issues, everything else is thrown (see `isOvertaken`). */
export async function releaseWorkflow(
  slug: string,
  body: { readonly yamlContent: string; readonly version?: string; readonly notes?: string },
  /** Of what the definition was made from; null: of nothing, or whatever it is. */
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

/** Where in the definition an issue is: `do.0.fetch`, say. */
export function placeOf({ field }: Issue): string {
  return field.replace(/^yamlContent\.?/, '');
}
