import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Enums, Models } from '@cyclonedx/cyclonedx-library';
import { readLockFile } from '../../../bin/supply-chain/lock-file.ts';
import { debianComponents } from '../../../bin/supply-chain/sbom/debian-components.ts';
import { createSbom } from '../../../bin/supply-chain/sbom/sbom.ts';
import { bundledPackages } from '../../packages/detector/bundle.ts';
import { filesOf, readFiles } from '../docker.ts';
import type { ImageTarget } from '../targets.ts';

const APPLICATION = 'opt/trapline';
const CONSOLE = `${APPLICATION}/dashboards/console/dist/`;
const NODE = 'node_modules/node';

export interface ImageReference {
  readonly target: ImageTarget;
  /** A name in the container engine. */
  readonly image: string;
  readonly version: string;
  /** Digest of the manifest in the registry: `sha256:…`. */
  readonly digest: string;
}

/**
 * Creates the bill of materials of an image: its npm packages, those from which its console or detector were built,
 * Node and its parts, and the Debian packages of its files.
 */
export async function createImageSbom(root: string, reference: ImageReference, now: Date): Promise<string> {
  const { target, image, version, digest } = reference;
  const files = new Set(await filesOf(image));
  const records = await readFiles(image, 'var/lib/dpkg/status.d');
  const release = /^VERSION_ID="?([^"\n]+)/m.exec(await readFiles(image, 'usr/lib/os-release'))?.[1];
  if (records === '' || release === undefined) throw new Error(`${image} has no list of its Debian packages`);
  const component = new Models.Component(Enums.ComponentType.Container, `trapline/${target.name}`, {
    version,
    bomRef: target.name,
    purl: `pkg:oci/${target.name}@${encodeURIComponent(digest)}`,
  });
  component.licenses.add(new Models.LicenseExpression('Apache-2.0'));
  const inside = target.name === 'detector' ? await bundledPackages() : installedPackages(root, files);
  return createSbom(root, now, {
    component,
    contains: (name) => name === NODE || inside.has(name),
    more: debianComponents(records, release),
  });
}

/**
 * Returns the lock file paths of the packages below the application, and of those whose code is in the built console.
 */
function installedPackages(root: string, files: ReadonlySet<string>): ReadonlySet<string> {
  const hasConsole = [...files].some((file) => file.startsWith(CONSOLE));
  const packages = readLockFile(root);
  return new Set(
    packages
      .filter(
        (one) => files.has(path.posix.join(APPLICATION, one.path, 'package.json')) || (hasConsole && !one.shipped),
      )
      .map((one) => one.path),
  );
}

/** Returns the version that a checkout releases. */
export function releasedVersion(root: string): string {
  return (JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }).version;
}
