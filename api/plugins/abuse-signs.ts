import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { originOf } from '../http/origin.ts';
import type { ReportSecurityEvent, SecurityEventKind } from '../siem/port.ts';
import { looksLikeInjection, looksLikeTraversal, suspiciousNames } from '../siem/suspicious-text.ts';

export interface AbuseSignsOptions {
  readonly report: ReportSecurityEvent;
}

/**
 * Looks at requests that were refused, when their answer is out, for signs of abuse. Wrong keys, breaches of limits and missing roles are
 * reported by the guard, wrong passwords and codes by whoever checks them, forbidden destinations by the outbound guard.
 */
export const abuseSigns = fp<AbuseSignsOptions>(
  async (app, { report }) => {
    app.addHook('onResponse', (request, reply, done) => {
      done();
      if (reply.statusCode < 400 || reply.statusCode >= 500 || reply.statusCode === 429) return;
      const subject = request.routeOptions.url ?? 'none';
      const origin = originOf(request);
      for (const kind of signsOf(request, reply)) report({ kind, origin, subject });
    });
  },
  { name: 'abuse-signs' },
);

/** At most one sign a kind. */
function signsOf(request: FastifyRequest, { statusCode }: FastifyReply): SecurityEventKind[] {
  const url = request.raw.url ?? '';
  const signs: SecurityEventKind[] = [];
  if (looksLikeTraversal(url)) signs.push('path-traversal');
  const names = statusCode === 400 ? suspiciousNames(request.body) : { operators: false, privileges: false };
  if (names.operators || looksLikeInjection(url)) signs.push('injection');
  // A field like `role` where it has no place; an administrator who sets one wrongly is no attacker.
  if (names.privileges && request.caller?.role !== 'admin') signs.push('privilege-escalation');
  // Somebody with a valid key or session who asks for what is not there is a broken program, unless he does so without end.
  if (statusCode === 404 || (statusCode === 401 && request.headers['x-api-key'] === undefined)) {
    signs.push('endpoint-enumeration');
  }
  return signs;
}
