import type { ReportSecurityEvent } from '#api/http/security-events.ts';
import type { OutboundRefusal } from './port.ts';

/** Reports refused URLs that came from a client. A refused URL of the configuration is a mistake, not an attack. */
export function reportForgery(report: ReportSecurityEvent): (refusal: OutboundRefusal) => void {
  return ({ reason, origin }) => {
    if (origin !== undefined) report({ kind: 'request-forgery', origin, subject: reason });
  };
}
