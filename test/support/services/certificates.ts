import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * A certificate authority created for one broker, a server certificate for 127.0.0.1 and localhost, and a client
 * certificate.
 */
export interface Certificates {
  readonly ca: string;
  readonly serverKey: string;
  readonly serverCertificate: string;
  readonly clientKey: string;
  readonly clientCertificate: string;
}

/** Creates new keys with openssl in `dir`, in about 0.1 s. `addresses` are those of the server. */
export async function makeCertificates(
  dir: string,
  addresses: readonly string[] = ['127.0.0.1'],
): Promise<Certificates> {
  const file = (name: string): string => join(dir, name);
  const newKey = (name: string): Promise<unknown> =>
    run('openssl', ['genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', file(`${name}.key`)]);
  await Promise.all(['ca', 'server', 'client'].map(newKey));
  const authority = ['req', '-x509', '-new', '-key', file('ca.key'), '-days', '2', '-subj', '/CN=trapline test CA'];
  await run('openssl', [...authority, '-out', file('ca.crt')]);
  const issue = async (name: string): Promise<void> => {
    writeFileSync(
      file(`${name}.ext`),
      `subjectAltName=${addresses.map((address) => `IP:${address}`).join()},DNS:localhost\n`,
    );
    await run('openssl', [
      'req',
      '-new',
      '-key',
      file(`${name}.key`),
      '-subj',
      `/CN=${name}`,
      '-out',
      file(`${name}.csr`),
    ]);
    const signed = [
      'x509',
      '-req',
      '-in',
      file(`${name}.csr`),
      '-CA',
      file('ca.crt'),
      '-CAkey',
      file('ca.key'),
      '-days',
      '2',
    ];
    const serial = ['-set_serial', name === 'server' ? '2' : '3'];
    await run('openssl', [...signed, ...serial, '-extfile', file(`${name}.ext`), '-out', file(`${name}.crt`)]);
  };
  await Promise.all([issue('server'), issue('client')]);
  const read = (name: string): Promise<string> => readFile(file(name), 'utf8');
  const [ca, serverKey, serverCertificate, clientKey, clientCertificate] = await Promise.all(
    ['ca.crt', 'server.key', 'server.crt', 'client.key', 'client.crt'].map(read),
  );
  return { ca, serverKey, serverCertificate, clientKey, clientCertificate } as Certificates;
}
