/**
 * True if a browser page of this origin may open the live feed with the user's cookie, or call /mcp. Browsers always
 * send an origin with both. A client without an origin is not a browser, so no page can misuse it. `allowed` lists the
 * configured origins. If it is empty, only pages of this server are allowed.
 */
export function isAllowedOrigin(
  origin: string | undefined,
  { allowed, host }: { readonly allowed: readonly string[] | undefined; readonly host: string | undefined },
): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const { origin: asked, host: askedHost } = new URL(origin);
  if (asked === 'null') return false;
  if (allowed !== undefined) return allowed.includes(asked);
  return host !== undefined && askedHost === host.toLowerCase();
}
