import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Enums, Models, Serialize, Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { consolePackages } from '../console-packages.ts';
import { readLockFile } from '../lock-file.ts';
import { readPolicy } from '../policy.ts';
import { nativeComponents } from './native-components.ts';
import { npmComponents } from './npm-components.ts';

const SPEC = Spec.Spec1dot6;

/** The software bill of materials of this checkout: CycloneDX 1.6 as JSON, validated against the schema. */
export async function createSbom(root: string, now: Date): Promise<string> {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string; version: string };
  const packages = readLockFile(root, consolePackages(root));
  const components = npmComponents(root, packages, readPolicy());
  const application = new Models.Component(Enums.ComponentType.Application, own.name, {
    version: own.version,
    bomRef: own.name,
    purl: `pkg:generic/${own.name}@${own.version}`,
  });
  application.licenses.add(new Models.LicenseExpression('Apache-2.0'));
  for (const [path, component] of components)
    if (!path.includes('/node_modules/')) application.dependencies.add(component.bomRef);

  const bom = new Models.Bom({ metadata: new Models.Metadata({ timestamp: now, component: application }) });
  for (const component of components.values()) bom.components.add(component);
  for (const { carrier, component } of await nativeComponents(root)) {
    const carrying = components.get(`node_modules/${carrier}`);
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
