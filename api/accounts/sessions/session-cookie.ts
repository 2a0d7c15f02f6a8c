/** How the session travels: never to scripts, never with requests that other sites' forms send, over https only where https serves. */
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
 * `secure`: people reach the server over https. The prefix `__Host-` makes browsers refuse a cookie of that name that came without
 * `Secure`, for another path, or from a subdomain (RFC 6265bis, 4.1.3.2).
 */
export function sessionCookie({ secure }: { readonly secure: boolean }): SessionCookie {
  return {
    name: secure ? '__Host-trapline-session' : 'trapline-session',
    options: { path: '/', httpOnly: true, sameSite: 'lax', secure },
  };
}

/** The value of `set-cookie` that hands a session to the browser. */
export function sessionCookieLine(cookie: SessionCookie, token: string, expiresAt: Date): string {
  return `${cookie.name}=${token}; ${attributesOf(cookie)}; Expires=${expiresAt.toUTCString()}`;
}

/** The value of `set-cookie` that takes the session away again. */
export function clearedSessionCookieLine(cookie: SessionCookie): string {
  return `${cookie.name}=; ${attributesOf(cookie)}; Max-Age=0`;
}

function attributesOf({ options }: SessionCookie): string {
  return `Path=${options.path}; HttpOnly; SameSite=Lax${options.secure ? '; Secure' : ''}`;
}
