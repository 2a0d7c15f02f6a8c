import type { ReportSecurityEvent } from '../http/security-events.ts';
import type { OutboundRefusal } from './port.ts';

/** Tells of refused addresses that came from a client. What the product asks for by itself is a mistake of its configuration, no attack. */
export function reportForgery(report: ReportSecurityEvent): (refusal: OutboundRefusal) => void {
  return ({ reason, origin }) => {
    if (origin !== undefined) report({ kind: 'request-forgery', origin, subject: reason });
  };
}
