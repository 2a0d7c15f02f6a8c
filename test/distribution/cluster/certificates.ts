import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from '../run.ts';

/** Certificates: the file name, the subject and the alternative names. */
const CERTIFICATES = [
  ['apiserver', '/CN=kube-apiserver', 'IP:127.0.0.1,IP:10.96.0.1,DNS:localhost,DNS:kubernetes,DNS:kubernetes.default'],
  ['admin', '/O=system:masters/CN=admin', 'DNS:admin'],
  ['manager', '/O=system:masters/CN=manager', 'DNS:manager'],
  ['node', '/O=system:nodes/CN=system:node:node-1', 'DNS:node-1,IP:10.244.0.1'],
] as const;
const DAYS = ['-days', '2'];

/**
 * Creates a certificate authority, the certificates that it signs and the service account key, as PEM files in
 * `folder`. Needs openssl.
 */
export async function makeCertificates(folder: string): Promise<void> {
  const file = (name: string) => path.join(folder, name);
  const openssl = (...args: string[]) => run('openssl', args);
  const newKey = ['-newkey', 'rsa:2048', '-nodes'];
  await openssl(
    'req',
    '-x509',
    ...newKey,
    ...DAYS,
    '-subj',
    '/CN=authority',
    '-keyout',
    file('ca.key'),
    '-out',
    file('ca.crt'),
  );
  await openssl('genrsa', '-out', file('accounts.key'), '2048');
  await openssl('rsa', '-in', file('accounts.key'), '-pubout', '-out', file('accounts.pub'));
  for (const [name, subject, names] of CERTIFICATES) {
    const request = file(`${name}.csr`);
    await writeFile(file(`${name}.ext`), `subjectAltName=${names}\nextendedKeyUsage=clientAuth,serverAuth\n`);
    await openssl('req', ...newKey, '-subj', subject, '-keyout', file(`${name}.key`), '-out', request);
    const authority = ['-CA', file('ca.crt'), '-CAkey', file('ca.key'), '-CAcreateserial'];
    const signed = ['-out', file(`${name}.crt`), '-extfile', file(`${name}.ext`)];
    await openssl('x509', '-req', '-in', request, ...authority, ...DAYS, ...signed);
  }
}

/**
 * Writes the kubeconfig with which the holder of the certificate `name` connects to the API server. Resolves to its
 * path.
 */
export async function makeKubeconfig(folder: string, name: string, server: string): Promise<string> {
  const file = path.join(folder, `${name}.kubeconfig`);
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server, 'certificate-authority': path.join(folder, 'ca.crt') } }],
    users: [
      {
        name: 'u',
        user: {
          'client-certificate': path.join(folder, `${name}.crt`),
          'client-key': path.join(folder, `${name}.key`),
        },
      },
    ],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
  await writeFile(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}
