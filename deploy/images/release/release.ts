import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { docker } from '../docker.ts';
import { TARGETS } from '../targets.ts';
import { openSigner, signImage, verifyImage } from './cosign.ts';
import { createImageSbom, releasedVersion } from './image-sbom.ts';

export interface ReleaseOptions {
  readonly root: string;
  /** Returns the name of a built image on this machine. */
  imageOf(name: string): string;
  /** Push destination, such as `registry.example.org/trapline`. */
  readonly registry: string;
  readonly key: string;
  /** Directory for bills of materials and the public key. */
  readonly output: string;
  /** True for a registry without TLS, and no entry in the public log of signatures. */
  readonly isPrivate: boolean;
  report(line: string): void;
}

/**
 * Pushes the images with the version of package.json, creates a bill of materials for each, signs both, and verifies
 * both. Resolves to the references by digest.
 */
export async function releaseImages(options: ReleaseOptions): Promise<string[]> {
  const { root, registry, output, report } = options;
  const version = releasedVersion(root);
  await mkdir(output, { recursive: true });
  const signer = await openSigner(options.key, path.join(output, 'cosign.pub'), options.isPrivate);
  const references: string[] = [];
  for (const target of TARGETS) {
    const image = options.imageOf(target.name);
    const reference = await push(image, `${registry}/${target.name}`, version);
    const digest = reference.slice(reference.indexOf('@') + 1);
    const sbom = path.join(output, `${target.name}.cdx.json`);
    await writeFile(sbom, await createImageSbom(root, { target, image, version, digest }, new Date()));
    await signImage(signer, reference, sbom);
    await verifyImage(signer, reference);
    report(`${reference} signed, ${sbom} attested`);
    references.push(reference);
  }
  return references;
}

async function push(image: string, name: string, version: string): Promise<string> {
  await docker('tag', image, `${name}:${version}`);
  await docker('push', '--quiet', `${name}:${version}`);
  const digests = await docker('image', 'inspect', '--format={{join .RepoDigests "\\n"}}', image);
  const reference = digests.split('\n').find((digest) => digest.startsWith(`${name}@`));
  if (reference === undefined) throw new Error(`the registry gave ${name} no digest`);
  return reference;
}
