/** Why a connection failed, by the codes of the system, of Node's TLS and of its HTTP client. */
export const CONNECTION_PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the other side closed the connection',
  EPIPE: 'the other side closed the connection',
  UND_ERR_SOCKET: 'the other side closed the connection',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_HEADERS_TIMEOUT: 'there was no response in time',
  UND_ERR_BODY_TIMEOUT: 'the response was not complete in time',
  EHOSTUNREACH: 'the host is unreachable',
  EHOSTDOWN: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
  ENETDOWN: 'the network is unreachable',
  ENOTFOUND: 'the host name cannot be resolved',
  EAI_AGAIN: 'the host name cannot be resolved now, because the name server does not respond',
  CERT_HAS_EXPIRED: 'the TLS certificate has expired',
  CERT_NOT_YET_VALID: 'the TLS certificate is not valid yet',
  CERT_REVOKED: 'the TLS certificate was revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the TLS certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the TLS certificate is signed by an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'the TLS certificate is signed by an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the TLS certificate is signed by an authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the TLS certificate is signed by an authority that is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the TLS certificate is for another host name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not use TLS there',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server does not use TLS there',
  EPROTO: 'the TLS handshake failed',
};

const MAX_CAUSES = 10;

/**
 * Returns why a connection failed, with the code: `the connection was refused (ECONNREFUSED)`. Reads the chain of
 * causes. Undefined if no error in it is a known failure of a connection. `url` names the port that is blocked for HTTP.
 */
export function connectionProblem(error: unknown, url = ''): string | undefined {
  for (const link of causes(error)) {
    const { code } = link as { readonly code?: unknown };
    const problem = typeof code === 'string' && Object.hasOwn(CONNECTION_PROBLEMS, code) && CONNECTION_PROBLEMS[code];
    if (problem) return `${problem} (${code})`;
    // The fetch of Node gives this error no code.
    if (link.message === 'bad port') return blockedPort(URL.parse(url)?.port);
  }
  return undefined;
}

/** The Fetch standard lists these ports, because an HTTP request to them could be read as another protocol. */
function blockedPort(port = ''): string {
  return `${port === '' ? 'the port' : `port ${port}`} belongs to another protocol, and HTTP requests to it are blocked`;
}

/** Returns the error and its causes. An aggregate error (several addresses) is followed by its first error. */
function causes(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let next = error; next instanceof Error && chain.length < MAX_CAUSES; ) {
    chain.push(next);
    const { cause, errors } = next as { readonly cause?: unknown; readonly errors?: unknown };
    next = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  return chain;
}
