/** The functions of a browser that a sign-in needs: cookies by host, and single redirects. */
export interface Browser {
  /** Sends one request with this host's cookies. Does not follow redirects. */
  visit(url: string, init?: { readonly headers?: Record<string, string> }): Promise<Response>;
  /** Posts a form of the same site, with this host's cookies. */
  post(url: string, form: Record<string, string>): Promise<Response>;
  /** Posts a form from another site. Sends no cookies, because all cookies here are `SameSite=Lax`. */
  postFromElsewhere(url: string, form: Record<string, string>): Promise<Response>;
  /**
   * Follows redirects until one points to an address that begins with `until`. Returns that address without requesting
   * it.
   */
  follow(url: string, until: string): Promise<string>;
  cookies(url: string): Map<string, string>;
}

const MAX_REDIRECTS = 10;

export function createBrowser(): Browser {
  const jars = new Map<string, Map<string, string>>();

  function cookies(url: string): Map<string, string> {
    const { host } = new URL(url);
    const jar = jars.get(host) ?? new Map<string, string>();
    jars.set(host, jar);
    return jar;
  }

  async function visit(url: string, init: RequestInit = {}): Promise<Response> {
    const jar = cookies(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...(init.headers as Record<string, string> | undefined), ...(cookie === '' ? {} : { cookie }) },
    });
    keep(jar, response);
    return response;
  }

  function keep(jar: Map<string, string>, response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const at = pair.indexOf('=');
      const expired = attributes.some(
        (attribute) => /^max-age=0$/i.test(attribute) || /^expires=thu, 01 jan 1970/i.test(attribute),
      );
      if (expired) jar.delete(pair.slice(0, at));
      else jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
  }

  return {
    visit,
    post: (url, form) => visit(url, { method: 'POST', body: new URLSearchParams(form) }),
    async postFromElsewhere(url, form) {
      const body = new URLSearchParams(form);
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        body,
        headers: { origin: 'https://idp.example' },
      });
      keep(cookies(url), response);
      return response;
    },
    cookies,
    async follow(url, until) {
      let at = url;
      for (let redirects = 0; redirects < MAX_REDIRECTS; redirects += 1) {
        const response = await visit(at);
        const body = await response.text();
        const location = response.headers.get('location');
        if (location === null) throw new Error(`${at} answered ${response.status} instead of a redirect: ${body}`);
        at = new URL(location, at).href;
        if (at.startsWith(until)) return at;
      }
      throw new Error(`more than ${MAX_REDIRECTS} redirects from ${url}`);
    },
  };
}
