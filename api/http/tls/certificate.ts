import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';

/** PEM files of the certificate with its intermediate certificates, and of its private key. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
  readonly validTo: Date;
}

/** The files cannot be used. The message names the file. */
export class CertificateProblem extends Error {
  override readonly name = 'CertificateProblem';
}

/** Reads a certificate and its key. Rejects with `CertificateProblem` if a server cannot use them. */
export async function readServerCertificate({ certFile, keyFile }: CertificateFiles): Promise<ServerCertificate> {
  const [cert, key] = await Promise.all([read(certFile), read(keyFile)]);
  const leaf = parsed(() => new X509Certificate(cert), `${certFile} contains no certificate in PEM format`);
  const privateKey = parsed(() => createPrivateKey(key), `${keyFile} contains no private key without a password`);
  if (!leaf.checkPrivateKey(privateKey))
    throw new CertificateProblem(`the key in ${keyFile} is not that of ${certFile}`);
  // Finds damaged intermediate certificates, and keys that are too short.
  parsed(() => createSecureContext({ cert, key }), `TLS does not accept the certificates in ${certFile}`);
  return { cert, key, validTo: leaf.validToDate };
}

/**
 * Reads the files every `pollMs`, and passes a changed pair to `changed`. If the pair cannot be used, `failed` gets the
 * error, once for each content. Returns a function that ends this.
 *
 * Polling also finds files that are replaced through symbolic links, as Kubernetes does.
 */
export function watchServerCertificate(
  files: CertificateFiles,
  first: ServerCertificate,
  on: {
    readonly changed: (certificate: ServerCertificate) => void;
    readonly failed: (error: Error) => void;
    readonly pollMs: number;
  },
): () => void {
  let current = first;
  let lastProblem = '';
  let busy = false;
  const poll = async () => {
    if (busy) return;
    busy = true;
    try {
      const found = await readServerCertificate(files);
      lastProblem = '';
      if (found.cert === current.cert && found.key === current.key) return;
      current = found;
      on.changed(found);
    } catch (error) {
      const problem = error instanceof Error ? error : new Error(String(error));
      if (problem.message !== lastProblem) on.failed(problem);
      lastProblem = problem.message;
    } finally {
      busy = false;
    }
  };
  const timer = setInterval(() => void poll(), on.pollMs);
  timer.unref();
  return () => clearInterval(timer);
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new CertificateProblem(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function parsed<T>(parse: () => T, problem: string): T {
  try {
    return parse();
  } catch {
    throw new CertificateProblem(problem);
  }
}
