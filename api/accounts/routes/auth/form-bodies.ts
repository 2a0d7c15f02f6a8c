import type { ApiServer } from '#api/http/api-server.ts';

/** Accepts form bodies only, in this scope; all other routes reject forms. A duplicate field makes the body undefined. */
export function readFormBodies(scope: ApiServer, { bodyLimit }: { readonly bodyLimit: number }): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit },
    (_request, body, done) => done(null, fieldsOf(body as string)),
  );
}

function fieldsOf(body: string): Record<string, string> | undefined {
  const fields = [...new URLSearchParams(body)];
  const names = fields.map(([name]) => name);
  return new Set(names).size === names.length ? Object.fromEntries(fields) : undefined;
}
