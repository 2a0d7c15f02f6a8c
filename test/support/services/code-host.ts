import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CodeHostAccount {
  readonly id: number;
  readonly login: string;
  /** Value in the response of `/user`: chosen by the user, not verified. */
  readonly email: string | null;
  readonly emails: readonly { readonly email: string; readonly primary: boolean; readonly verified: boolean }[];
}

export interface CodeHostService {
  /** Base URL of sign-in and API. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Sets the user at the browser from now on. Undefined: the user declines. */
  person(account: CodeHostAccount | undefined): void;
  /** Statuses with which API paths respond instead of their usual response. */
  readonly failing: Map<string, number>;
  stop(): Promise<void>;
}

interface Granted {
  readonly account: CodeHostAccount;
  readonly redirectUri: string;
  readonly challenge: string;
}

/**
 * Starts a server with the code host's documented web application flow and API, over real HTTP. The third-party service
 * cannot run here. Responses follow its documentation: errors of the token endpoint have status 200, and codes are
 * valid once.
 */
export async function startCodeHost(): Promise<CodeHostService> {
  const clientId = `Iv1.${randomBytes(8).toString('hex')}`;
  const clientSecret = randomBytes(20).toString('hex');
  const codes = new Map<string, Granted>();
  const tokens = new Map<string, CodeHostAccount>();
  const failing = new Map<string, number>();
  let person: CodeHostAccount | undefined;

  const routes: Record<string, (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>> = {
    async 'GET /login/oauth/authorize'(_request, response, { searchParams }) {
      const target = new URL(searchParams.get('redirect_uri') ?? '');
      target.searchParams.set('state', searchParams.get('state') ?? '');
      if (searchParams.get('client_id') !== clientId || searchParams.get('code_challenge_method') !== 'S256') {
        send(response, 404, {});
        return;
      }
      if (person === undefined) target.searchParams.set('error', 'access_denied');
      else {
        const code = randomBytes(10).toString('hex');
        const challenge = searchParams.get('code_challenge') ?? '';
        codes.set(code, { account: person, redirectUri: searchParams.get('redirect_uri') ?? '', challenge });
        target.searchParams.set('code', code);
      }
      response.writeHead(302, { location: target.href }).end();
    },
    async 'POST /login/oauth/access_token'(request, response) {
      const form = new URLSearchParams(await textOf(request));
      const granted = codes.get(form.get('code') ?? '');
      codes.delete(form.get('code') ?? '');
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret)
        send(response, 200, { error: 'incorrect_client_credentials' });
      else if (granted?.challenge !== challenge || granted.redirectUri !== form.get('redirect_uri'))
        send(response, 200, { error: 'bad_verification_code', error_description: 'The code is incorrect or expired.' });
      else {
        const token = `gho_${randomBytes(18).toString('hex')}`;
        tokens.set(token, granted.account);
        send(response, 200, { access_token: token, scope: 'read:user,user:email', token_type: 'bearer' });
      }
    },
    async 'GET /user'(request, response) {
      const account = bearer(request);
      if (account === undefined) send(response, 401, { message: 'Bad credentials' });
      else send(response, 200, { id: account.id, login: account.login, email: account.email });
    },
    async 'GET /user/emails'(request, response) {
      const account = bearer(request);
      if (account === undefined) send(response, 401, { message: 'Bad credentials' });
      else send(response, 200, account.emails);
    },
  };

  function bearer(request: IncomingMessage): CodeHostAccount | undefined {
    return tokens.get((request.headers.authorization ?? '').replace(/^Bearer /, ''));
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://code-host.invalid');
    const status = failing.get(url.pathname);
    const route = routes[`${request.method} ${url.pathname}`];
    if (status !== undefined) send(response, status, { message: 'as configured' });
    else if (route === undefined) send(response, 404, { message: 'Not Found' });
    else await route(request, response, url);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId,
    clientSecret,
    failing,
    person(account) {
      person = account;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
