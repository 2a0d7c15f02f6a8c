/**
 * Attributes of the session cookie: hidden from scripts, not sent with forms of other sites, and with https only over
 * https.
 */
export interface SessionCookie {
  readonly name: string;
  readonly options: {
    readonly path: '/';
    readonly httpOnly: true;
    readonly sameSite: 'lax';
    readonly secure: boolean;
  };
}

/**
 * `secure`: the public URL is https. With the prefix `__Host-`, browsers reject a cookie of that name without `Secure`,
 * for another path, or from a subdomain (RFC 6265bis, 4.1.3.2).
 */
export function sessionCookie({ secure }: { readonly secure: boolean }): SessionCookie {
  return {
    name: secure ? '__Host-trapline-session' : 'trapline-session',
    options: { path: '/', httpOnly: true, sameSite: 'lax', secure },
  };
}

/** Returns the value of `set-cookie` that sets the session. */
export function sessionCookieLine(cookie: SessionCookie, token: string, expiresAt: Date): string {
  return `${cookie.name}=${token}; ${attributesOf(cookie)}; Expires=${expiresAt.toUTCString()}`;
}

/** Returns the value of `set-cookie` that deletes the session. */
export function clearedSessionCookieLine(cookie: SessionCookie): string {
  return `${cookie.name}=; ${attributesOf(cookie)}; Max-Age=0`;
}

function attributesOf({ options }: SessionCookie): string {
  return `Path=${options.path}; HttpOnly; SameSite=Lax${options.secure ? '; Secure' : ''}`;
}
