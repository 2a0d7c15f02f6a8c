import { fingerprintOf, indexOfSecret } from '#api/accounts/secrets/fingerprint.ts';
import type { Config } from '../config.ts';
import { existingSecret, SHARED_SECRETS, type SharedSecretName, secretFileOf } from '../platform-secrets.ts';
import type { Manifest } from './manifest.ts';

type SecretPart = Manifest['secrets'][number];

/**
 * Returns fingerprints of the secrets with which this configuration signs and encrypts. No secret value leaves the
 * process.
 */
export async function secretFingerprints(config: Config): Promise<SecretPart[]> {
  const parts: SecretPart[] = [];
  for (const name of SHARED_SECRETS) {
    const values = await existingSecret(config, name);
    if (values === undefined) continue;
    const { salt, hash } = await fingerprintOf(name, values[0]);
    parts.push({ name, salt: salt.toString('base64'), hash: hash.toString('base64') });
  }
  return parts;
}

/** Returns one line for each secret of the backup that is missing in this configuration. */
export async function missingSecrets(config: Config, secrets: readonly SecretPart[]): Promise<string[]> {
  const missing: string[] = [];
  for (const { name, salt, hash } of secrets) {
    if (!isSharedSecret(name)) continue;
    const values = await existingSecret(config, name);
    const fingerprint = { name, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') };
    if (values === undefined)
      missing.push(
        `${name} is not set: set it to the value of the backup's time, or write that into ${secretFileOf(config, name)}`,
      );
    else if ((await indexOfSecret(values, fingerprint)) < 0)
      missing.push(
        `${name} is not the one of the backup: set it to the value of that time, perhaps after the present one`,
      );
  }
  return missing;
}

function isSharedSecret(name: string): name is SharedSecretName {
  return SHARED_SECRETS.some((known) => known === name);
}
