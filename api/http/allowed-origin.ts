/**
 * Whether a browser page of this origin may open the live feed with the cookie of its user, or call /mcp. Browsers always send the origin of both,
 * and nothing else does, so a client that sends no origin is not one that a page could misuse.
 * `allowed`: the configured origins; without any, only pages of this server itself may.
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
