import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Enums, Models, Serialize, Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { consolePackages } from '../console-packages.ts';
import { readLockFile } from '../lock-file.ts';
import { readPolicy } from '../policy.ts';
import { nativeComponents } from './native-components.ts';
import { npmComponents } from './npm-components.ts';

const SPEC = Spec.Spec1dot6;

/** Scope of a bill of materials. Default: everything that a checkout ships. */
export interface SbomScope {
  readonly component: Models.Component;
  /** Returns true if the npm package at this path of the lock file is included. */
  contains(path: string): boolean;
  /** Components that are unknown to npm. */
  readonly more: readonly Models.Component[];
}

/**
 * Creates the software bill of materials of this checkout, or of a part of it: CycloneDX 1.6 as JSON, validated against
 * the schema.
 */
export async function createSbom(root: string, now: Date, scope = wholeCheckout(root)): Promise<string> {
  const packages = readLockFile(root, consolePackages(root)).filter(({ path }) => scope.contains(path));
  const components = npmComponents(root, packages, readPolicy());
  for (const [path, component] of components)
    if (!path.includes('/node_modules/')) scope.component.dependencies.add(component.bomRef);

  const bom = new Models.Bom({ metadata: new Models.Metadata({ timestamp: now, component: scope.component }) });
  for (const component of components.values()) bom.components.add(component);
  for (const component of scope.more) {
    scope.component.dependencies.add(component.bomRef);
    bom.components.add(component);
  }
  for (const { carrier, component } of await nativeComponents(root)) {
    const path = `node_modules/${carrier}`;
    if (!scope.contains(path)) continue;
    const carrying = components.get(path);
    if (carrying === undefined) throw new Error(`${component.name} is carried by ${carrier}, which is not shipped`);
    carrying.dependencies.add(component.bomRef);
    bom.components.add(component);
  }
  const text = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(SPEC)).serialize(bom, {
    sortLists: true,
    space: 2,
  });
  const problem = await new Validation.JsonStrictValidator(SPEC.version).validate(text);
  if (problem !== null) throw new Error('the bill of materials does not fit the CycloneDX schema', { cause: problem });
  return `${text}\n`;
}

function wholeCheckout(root: string): SbomScope {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string; version: string };
  const component = new Models.Component(Enums.ComponentType.Application, own.name, {
    version: own.version,
    bomRef: own.name,
    purl: `pkg:generic/${own.name}@${own.version}`,
  });
  component.licenses.add(new Models.LicenseExpression('Apache-2.0'));
  return { component, contains: () => true, more: [] };
}
