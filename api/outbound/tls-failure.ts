import { connectionProblem } from '#schemas/connection-problem.ts';
import { OutboundFailure } from './port.ts';

/** Alerts by which a server refuses the certificate of its client (RFC 8446, 6.2), as OpenSSL names them. */
const REFUSED =
  /^ERR_SSL_.{1,20}_ALERT_(?:BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_\w+|UNKNOWN_CA|ACCESS_DENIED)$/;
/** Results of the verification of the certificate of a server. */
const UNTRUSTED =
  /^(?:ERR_TLS_CERT_ALTNAME_INVALID|CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT\w*|UNABLE_TO_VERIFY_LEAF_SIGNATURE|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH)$/;
const MAX_CAUSES = 5;

/**
 * Returns the failure if one side does not accept the certificate of the other, with the code of the cause. Undefined
 * for any other error. In TLS 1.3 a server refuses a certificate only after the client has connected.
 */
export function tlsFailureOf(error: unknown): OutboundFailure | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < MAX_CAUSES; cause = cause.cause, depth++) {
    const code = 'code' in cause ? String(cause.code) : '';
    if (REFUSED.test(code)) {
      const problem = code.endsWith('_REQUIRED')
        ? `the server requires a client certificate (${code})`
        : `the server refused the client certificate (${code})`;
      return new OutboundFailure('certificate_refused', problem, { cause: error });
    }
    if (UNTRUSTED.test(code)) {
      const problem = connectionProblem(cause) ?? `the TLS certificate is not trusted (${code})`;
      return new OutboundFailure('untrusted_server', `cannot connect to the server: ${problem}`, { cause: error });
    }
  }
  return undefined;
}
