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
 * Looks at requests that were refused, when their answer is out, for signs of abuse. Wrong keys, breaches of limits and missing roles are
 * reported by the guard, wrong passwords and codes by the code that checks them, forbidden destinations by the outbound guard.
 */
export const abuseSignals = fp<AbuseSignalsOptions>(
  async (app, { report }) => {
    app.onRequestEnd((request, { status }) => {
      if (status < 400 || status >= 500 || status === 429) return;
      // Refused before the guard knew whose it is: by the proxy's address others would be suspected.
      if (!request.clientAddress) return;
      const subject = routeName(request.routeOptions.url);
      const origin = originOf(request);
      for (const kind of signsOf(request, status)) report({ kind, origin, subject });
    });
  },
  { name: 'abuse-signals', dependencies: ['request-end'] },
);

/** At most one sign a kind. */
function signsOf(request: FastifyRequest, status: number): SecurityEventKind[] {
  const url = request.raw.url ?? '';
  const signs: SecurityEventKind[] = [];
  if (looksLikeTraversal(url)) signs.push('path-traversal');
  const names = status === 400 ? suspiciousNames(request.body) : { operators: false, privileges: false };
  if (names.operators || looksLikeInjection(url)) signs.push('injection');
  // A field like `role` where it has no place; an administrator who sets one wrongly is no attacker.
  if (names.privileges && request.caller?.role !== 'admin') signs.push('privilege-escalation');
  // A client with a valid key or session that requests missing resources is a broken program, unless it continues without end.
  if (status === 404 || (status === 401 && request.headers['x-api-key'] === undefined)) {
    signs.push('endpoint-enumeration');
  }
  return signs;
}
