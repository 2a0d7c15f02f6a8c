import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Enums, Models } from '@cyclonedx/cyclonedx-library';
import { declaredLicence } from '../licences.ts';
import type { LockedPackage } from '../lock-file.ts';
import type { Policy } from '../policy.ts';

/**
 * Returns one component per shipped package that can be installed on the service's platform, keyed by its path in the
 * lock file.
 */
export function npmComponents(
  root: string,
  packages: readonly LockedPackage[],
  policy: Policy,
): ReadonlyMap<string, Models.Component> {
  const shipped = packages.filter((one) => one.shipped && !one.foreign);
  const components = new Map(shipped.map((one) => [one.path, npmComponent(root, one, policy)]));
  for (const { path, dependencies } of shipped) {
    for (const needed of dependencies) {
      const component = components.get(needed);
      if (component !== undefined) components.get(path)?.dependencies.add(component.bomRef);
    }
  }
  return components;
}

function npmComponent(
  root: string,
  { path, name, version, integrity }: LockedPackage,
  policy: Policy,
): Models.Component {
  const [group, plain] = name.startsWith('@') ? name.split('/') : [undefined, name];
  const component = new Models.Component(Enums.ComponentType.Library, plain ?? name, {
    ...(group === undefined ? {} : { group }),
    version,
    bomRef: path,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    scope: Enums.ComponentScope.Required,
  });
  const licence = licenceOf(root, path, name, policy);
  if (licence !== null) component.licenses.add(new Models.LicenseExpression(licence));
  const sha512 = integrity?.startsWith('sha512-') === true ? integrity.slice('sha512-'.length) : undefined;
  if (sha512 !== undefined)
    component.hashes.set(Enums.HashAlgorithm['SHA-512'], Buffer.from(sha512, 'base64').toString('hex'));
  return component;
}

function licenceOf(root: string, path: string, name: string, { licences }: Policy): string | null {
  const manifest = join(root, path, 'package.json');
  if (!existsSync(manifest)) return null;
  const declared = declaredLicence(JSON.parse(readFileSync(manifest, 'utf8')) as Parameters<typeof declaredLicence>[0]);
  const exception = licences.exceptions.find((one) => one.package === name && one.declared === declared);
  return exception?.licence ?? declared;
}
