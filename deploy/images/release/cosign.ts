import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

export interface Signer {
  /** Private key: a file, or the URL of a key management service that cosign supports. */
  readonly key: string;
  /** File with the public key, written by `openSigner`. */
  readonly publicKey: string;
  /** True for a local registry without TLS, and signatures that are not in a public log. */
  readonly isPrivate: boolean;
}

/** Derives the public key of `key` and writes it to a file. */
export async function openSigner(key: string, publicKey: string, isPrivate: boolean): Promise<Signer> {
  await writeFile(publicKey, await cosign('public-key', `--key=${key}`));
  return { key, publicKey, isPrivate };
}

/**
 * Signs an image and attests its bill of materials, both in the registry. `reference` contains the digest of the image.
 */
export async function signImage(signer: Signer, reference: string, sbom: string): Promise<void> {
  const options = [`--key=${signer.key}`, '--yes', ...registryOptions(signer)];
  const log = signer.isPrivate ? ['--tlog-upload=false', '--use-signing-config=false'] : [];
  await cosign('sign', ...options, ...log, reference);
  await cosign('attest', ...options, ...log, '--type=cyclonedx', `--predicate=${sbom}`, reference);
}

/**
 * Verifies signature and attestation as a user does. Resolves to the attested bill of materials; rejects if one is
 * missing or invalid.
 */
export async function verifyImage(signer: Omit<Signer, 'key'>, reference: string): Promise<unknown> {
  const options = [
    `--key=${signer.publicKey}`,
    ...registryOptions(signer),
    ...(signer.isPrivate ? ['--insecure-ignore-tlog=true'] : []),
  ];
  await cosign('verify', ...options, reference);
  const envelopes = await cosign('verify-attestation', ...options, '--type=cyclonedx', reference);
  const { payload } = JSON.parse(envelopes.split('\n')[0] ?? '') as { readonly payload: string };
  const statement = JSON.parse(Buffer.from(payload, 'base64').toString()) as { readonly predicate: unknown };
  return statement.predicate;
}

function registryOptions({ isPrivate }: Pick<Signer, 'isPrivate'>): string[] {
  return isPrivate ? ['--allow-http-registry'] : [];
}

/** Runs cosign. The password of a private key is in COSIGN_PASSWORD. */
async function cosign(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('cosign', args, { maxBuffer: 64 * 2 ** 20 });
  return stdout.trim();
}
