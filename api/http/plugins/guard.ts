import { timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { hasRole, type Scope } from '#schemas/api/roles.ts';
import type { Access, Limiting } from '../access/access.ts';
import {
  type Caller,
  type HostCaller,
  type KeyCaller,
  mayUse,
  type OperatorCaller,
  type SessionCaller,
} from '../access/caller.ts';
import { digestOf } from '../access/digest.ts';
import { missingScope } from '../access/missing-scope.ts';
import { type ApiError, apiError } from '../api-error.ts';
import { presentedKey, presentedSession } from '../credentials.ts';
import type { AddressLimiter, Counted, KeyChecked } from '../limits/address-limiter.ts';
import type { PollLimiter } from '../limits/poll-limiter.ts';
import type { Refusal } from '../limits/refusal.ts';
import { originOf } from '../origin.ts';
import { refuseWith } from '../refuse-with.ts';
import type { RequestOrigin } from '../request-origin.ts';
import type { ReportSecurityEvent } from '../security-events.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Sets the client address of a request that is refused before any hook runs. Absent on servers without the guard. */
    identifyClient?: (request: FastifyRequest) => void;
    /**
     * Returns the present caller for the credentials of the request, for checks during long responses. Undefined if the
     * credentials are no longer valid. Rejects while a store is unavailable.
     */
    callerNow(request: FastifyRequest): Promise<Caller | undefined>;
  }
  interface FastifyRequest {
    /** The caller. Undefined on routes without authentication. */
    caller: Caller | undefined;
    /** True if the request counted toward the budget of its key, not of its address. */
    countedAsPoll: boolean;
  }
}

/** A program with a key. */
type ProgramCaller = KeyCaller | HostCaller;
type Checked = KeyChecked<ProgramCaller>;

export interface GuardDeps {
  /** Returns the client's address: the peer of the connection, or the address that a trusted proxy reports. */
  readonly clientAddress: (connection: string, forwardedFor: string | undefined) => string;
  readonly limits: Pick<AddressLimiter, 'refuseBlocked' | 'checkKey' | 'count' | 'countUnknown'>;
  readonly polls: PollLimiter;
  /**
   * Returns the operator for the operator key. The operator is neither blocked nor counted: another program on the same
   * address must not lock the operator out.
   */
  readonly isOperator: (presented: string) => OperatorCaller | undefined;
  /**
   * Resolves to undefined for a key that is invalid, revoked, expired, or of a disabled account. Rejects when a store
   * is unavailable.
   */
  readonly verifyKey: (presented: string, origin: RequestOrigin) => Promise<ProgramCaller | undefined>;
  /** Returns the caller of a recently verified key without a promise. If it returns undefined, `verifyKey` decides. */
  readonly knownKey?: (presented: string) => ProgramCaller | undefined;
  /** Name of the session cookie. */
  readonly sessionCookie: string;
  readonly authenticateSession: (cookie: string) => Promise<SessionCaller | undefined>;
  /** If undefined, every route that requires the admin key is refused. */
  readonly adminKey: string | undefined;
  readonly report: ReportSecurityEvent;
}

/** Paths for administrators only, whatever routes exist below them. Each route also checks its access. */
const ADMINISTRATION = /^\/(?:admin|dashboard|api\/admin|api\/dashboard)(?:\/|$)/;
/** `none`: the user typed the address or opened a bookmark. */
const OWN_SITES = new Set(['same-origin', 'none']);
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Checks every request before its route runs: address block, authentication, limits, access, in this order. For the
 * first request of an address, one call counts the request and checks the block. Bodies are read and validated
 * afterwards.
 * Long: its hooks and checks share the dependencies and run in one order.
 */
export const guard = fp<GuardDeps>(
  async (app, deps) => {
    const isAdminKey = createAdminKeyCheck(deps.adminKey);
    app.decorateRequest('caller', undefined);
    app.decorateRequest('countedAsPoll', false);
    app.decorateRequest('clientAddress', '');
    app.decorate('identifyClient', identifyClient);
    app.decorate('callerNow', callerNow);
    app.addHook('onRoute', ({ config, method, url }) => {
      if (config?.access === undefined) throw new TypeError(`${method} ${url} does not say who may call it`);
    });

    app.addHook('onRequest', async (request, reply) => {
      const { access = { by: 'anyone' }, limiting = 'address' } = request.routeOptions.config;
      identifyClient(request);
      request.caller = operatorOf(request);
      const counted = limiting !== 'none' && request.caller === undefined;
      const key = request.caller === undefined ? keyToVerify(access, request) : undefined;
      let counts: Counted | undefined;
      if (counted) {
        const expected = { withKey: key !== undefined };
        const answered = limiting === 'address' ? deps.limits.countUnknown(request.clientAddress, expected) : undefined;
        if (answered !== undefined) {
          // Its own count decides. A concurrent request may begin a block, which does not apply to requests that were
          // counted earlier.
          counts = await answered;
          reportBreach(counts, request);
          refuse(counts.refusal);
        } else {
          // Most results are available synchronously. Avoiding the promise saves measurable time, because this code
          // runs for every request.
          const blocked = deps.limits.refuseBlocked(request.clientAddress, expected);
          refuse(blocked instanceof Promise ? await blocked : blocked);
        }
      }
      if (key !== undefined) {
        const checked = check(key, request);
        request.caller = callerOf(checked instanceof Promise ? await checked : checked, request);
      } else if (request.caller === undefined) {
        const session = authenticate(access, request);
        request.caller = session && (await session);
      }
      if (counted && counts === undefined) {
        counts = await count(request, limiting);
        reportBreach(counts, request);
      }
      if (counts !== undefined) answerFor(counts, reply);
      authorise(access, request, { isAdminKey, forbidden });
    });

    // Counts the refusal before the response is sent, so that later requests see the count. All other responses create
    // no promise.
    app.addHook('onSend', (request, reply, payload, done) => {
      if (!request.countedAsPoll || !isRefusal(reply.statusCode)) return done(null, payload);
      request.countedAsPoll = false;
      deps.limits.count(request.clientAddress).then((counts) => {
        reply.headers(counts.headers);
        reportBreach(counts, request);
        done(null, payload);
      }, done);
    });

    function count(request: FastifyRequest, limiting: Limiting): Promise<Counted> {
      const { caller, clientAddress } = request;
      return limiting === 'poll' && isProgram(caller) ? countPoll(request, caller) : deps.limits.count(clientAddress);
    }

    async function countPoll(request: FastifyRequest, { keyId }: ProgramCaller): Promise<Counted> {
      const counted = await deps.polls.count(keyId);
      request.countedAsPoll = counted.refusal === undefined;
      return counted;
    }

    function identifyClient(request: FastifyRequest): void {
      const forwardedFor = headerOf(request, 'x-forwarded-for');
      request.clientAddress = deps.clientAddress(request.raw.socket.remoteAddress ?? '', forwardedFor);
    }

    async function callerNow(request: FastifyRequest): Promise<Caller | undefined> {
      const { caller, headers } = request;
      if (caller?.kind === 'operator') return caller;
      if (isProgram(caller)) {
        const key = presentedKey(headers);
        return key === undefined ? undefined : deps.verifyKey(key, originOf(request));
      }
      const cookie = presentedSession(headers.cookie, deps.sessionCookie);
      return cookie === undefined ? undefined : deps.authenticateSession(cookie);
    }

    function operatorOf({ headers }: FastifyRequest): Caller | undefined {
      const key = presentedKey(headers);
      return key === undefined ? undefined : deps.isOperator(key);
    }

    /** A key takes precedence over a session on routes that accept keys. */
    function keyToVerify(access: Access, request: FastifyRequest): string | undefined {
      return access.by === 'session' || !needsCaller(access, request) ? undefined : presentedKey(request.headers);
    }

    function authenticate(access: Access, request: FastifyRequest): Promise<Caller | undefined> | undefined {
      if (access.by === 'key' || access.by === 'any-key' || !needsCaller(access, request)) return undefined;
      const cookie = presentedSession(request.headers.cookie, deps.sessionCookie);
      return cookie === undefined ? undefined : deps.authenticateSession(cookie);
    }

    function check(key: string, request: FastifyRequest): Checked | Promise<Checked> {
      const verify = () => deps.verifyKey(key, originOf(request));
      return deps.limits.checkKey(request.clientAddress, verify, () => deps.knownKey?.(key));
    }

    function callerOf({ found, refusal }: Checked, request: FastifyRequest): Caller | undefined {
      if (found === undefined && refusal === undefined)
        deps.report({ kind: 'key-guessing', origin: originOf(request) });
      refuse(refusal);
      return found;
    }

    function reportBreach({ refusal }: Counted, request: FastifyRequest): void {
      if (refusal?.began) deps.report({ kind: 'limit-breach', origin: originOf(request) });
    }

    function forbidden(request: FastifyRequest, refusal: ApiError): ApiError {
      deps.report({
        kind: 'privilege-escalation',
        origin: originOf(request),
        subject: request.routeOptions.url ?? 'administration',
      });
      return refusal;
    }
  },
  { name: 'guard', dependencies: ['errors', 'request-id'] },
);

/** Sets the rate-limit headers, and throws for a request over the limit. */
function answerFor({ headers, refusal }: Counted, reply: FastifyReply): void {
  reply.headers(headers);
  refuse(refusal);
}

interface AccessChecks {
  readonly isAdminKey: (presented: string | undefined) => boolean;
  /** Reports the attempt and returns the refusal. */
  readonly forbidden: (request: FastifyRequest, refusal: ApiError) => ApiError;
}

/** Throws if the caller may not use the route. */
function authorise(access: Access, request: FastifyRequest, { isAdminKey, forbidden }: AccessChecks): void {
  const { caller } = request;
  if (isAdministration(request.url)) requireAdministrator(request, forbidden);
  switch (access.by) {
    case 'anyone':
      return;
    case 'admin-key':
      if (!isAdminKey(headerOf(request, 'x-admin-key'))) throw unauthorized(access.by);
      return;
    case 'session':
      if (caller?.kind !== 'session') throw unauthorized(access.by);
      break;
    case 'admin':
      requireAdministrator(request, forbidden);
      break;
    case 'any-key':
      if (caller === undefined) throw unauthorized(access.by);
      break;
    case 'key':
    case 'key-or-session':
      if (caller === undefined) throw unauthorized(access.by);
      if (!scopesOf(access).some((scope) => mayUse(caller, scope)))
        throw forbidden(request, missingScope(caller, scopesOf(access)));
  }
  refuseOtherSites(request);
}

function requireAdministrator(request: FastifyRequest, forbidden: AccessChecks['forbidden']): void {
  const { caller } = request;
  if (caller === undefined || isProgram(caller)) throw unauthorized('admin');
  if (!hasRole(caller.role, 'admin')) throw forbidden(request, missingScope(caller, ['admin']));
}

function isProgram(caller: Caller | undefined): caller is ProgramCaller {
  return caller?.kind === 'key' || caller?.kind === 'host';
}

function needsCaller(access: Access, { url }: FastifyRequest): boolean {
  return access.by !== 'admin-key' && (access.by !== 'anyone' || isAdministration(url));
}

/**
 * Returns a function that is true for the admin key. Digests have equal length, so the time of the comparison reveals
 * nothing about the key.
 */
function createAdminKeyCheck(adminKey: string | undefined): (presented: string | undefined) => boolean {
  if (adminKey === undefined) return () => false;
  const expected = digestOf(adminKey);
  return (presented) => presented !== undefined && timingSafeEqual(digestOf(presented), expected);
}

/**
 * True for a path under the administration. The router matches the decoded path, so `/%61dmin` is `/admin`. `/admin#x`,
 * an invalid request target that Node accepts, and the absolute form of proxies also match. A path that cannot be
 * decoded matches no route.
 */
function isAdministration(url: string): boolean {
  const path = url.startsWith('/') ? /^[^?#]*/.exec(url)?.[0] : URL.parse(url)?.pathname;
  try {
    return path !== undefined && ADMINISTRATION.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

/**
 * Throws unless a change with a session cookie comes from a page of this server. Browsers send `Sec-Fetch-Site`; older
 * browsers send at least `Origin`. A neighbouring host counts as another site, although SameSite=Lax lets its requests
 * carry the cookie. A client that sends neither header is not a browser.
 */
function refuseOtherSites(request: FastifyRequest): void {
  if (request.caller?.kind !== 'session' || SAFE_METHODS.has(request.method)) return;
  const site = headerOf(request, 'sec-fetch-site');
  const origin = headerOf(request, 'origin');
  const own = site === undefined ? origin === undefined || isHost(origin, request.host) : OWN_SITES.has(site);
  if (!own) throw apiError('forbidden', 'the request came from another site');
}

function isHost(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}

/** True if the request itself was refused. A failure of the service (5xx) or a rate limit (429) is not a refusal. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

function refuse(refusal: Refusal | undefined): void {
  if (refusal === undefined) return;
  throw refuseWith(refusal);
}

const SEND_KEY = 'send the key as `x-api-key: KEY` or `Authorization: Bearer KEY`';
const NEEDED: Readonly<Record<Exclude<Access['by'], 'anyone'>, string>> = {
  session: 'a session is needed: sign in',
  admin: 'a session of an administrator, or the operator key, is needed',
  'admin-key': 'the admin key is needed, as `x-admin-key: KEY`',
  key: `a valid key is needed: ${SEND_KEY}`,
  'any-key': `a valid key is needed: ${SEND_KEY}`,
  'key-or-session': `a valid key or session is needed: ${SEND_KEY}`,
};

function unauthorized(by: keyof typeof NEEDED) {
  return apiError('unauthorized', NEEDED[by], undefined, { 'www-authenticate': 'Bearer' });
}

/** Returns the accepted scopes. One of them is sufficient. */
function scopesOf(access: Extract<Access, { scope: unknown }>): [Scope, ...Scope[]] {
  return 'or' in access && access.or !== undefined ? [access.scope, access.or] : [access.scope];
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
