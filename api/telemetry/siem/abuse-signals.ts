import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { originOf } from '#api/http/origin.ts';
import type {} from '#api/http/plugins/request-end.ts';
import { routeName } from '#api/http/route-name.ts';
import type { ReportSecurityEvent, SecurityEventKind } from '#api/http/security-events.ts';
import { looksLikeInjection, looksLikeTraversal, suspiciousNames } from './suspicious-text.ts';

export interface AbuseSignalsOptions {
  readonly report: ReportSecurityEvent;
}

/**
 * Checks refused requests for abuse signals after their response was sent. Other components report the rest: the guard
 * reports wrong keys, exceeded limits and missing roles; the code that checks passwords and codes reports wrong ones;
 * the outbound guard reports forbidden destinations.
 */
export const abuseSignals = fp<AbuseSignalsOptions>(
  async (app, { report }) => {
    app.onRequestEnd((request, { status }) => {
      if (status < 400 || status >= 500 || status === 429) return;
      // The request was refused before the guard determined its client. The address of the proxy would incriminate
      // other clients.
      if (!request.clientAddress) return;
      const subject = routeName(request.routeOptions.url);
      const origin = originOf(request);
      for (const kind of signsOf(request, status)) report({ kind, origin, subject });
    });
  },
  { name: 'abuse-signals', dependencies: ['request-end'] },
);

/** Returns at most one signal per kind. */
function signsOf(request: FastifyRequest, status: number): SecurityEventKind[] {
  const url = request.raw.url ?? '';
  const signs: SecurityEventKind[] = [];
  if (looksLikeTraversal(url)) signs.push('path-traversal');
  const names = status === 400 ? suspiciousNames(request.body) : { operators: false, privileges: false };
  if (names.operators || looksLikeInjection(url)) signs.push('injection');
  // A field such as `role` where it is not allowed. An administrator who sets one incorrectly is not an attacker.
  if (names.privileges && request.caller?.role !== 'admin') signs.push('privilege-escalation');
  // A client with a valid key or session that requests missing resources is a faulty program, unless it continues
  // indefinitely.
  if (status === 404 || (status === 401 && request.headers['x-api-key'] === undefined)) {
    signs.push('endpoint-enumeration');
  }
  return signs;
}
