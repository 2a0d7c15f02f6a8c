import { Enums, Models } from '@cyclonedx/cyclonedx-library';

/**
 * Returns the components of a Debian distribution from the dpkg status records. `release` is the VERSION_ID of
 * os-release.
 */
export function debianComponents(records: string, release: string): Models.Component[] {
  return records
    .split(/^(?=Package: )/m)
    .map(fieldsOf)
    .filter((fields) => fields.has('Package'))
    .map((fields) => {
      const [name, version, architecture] = ['Package', 'Version', 'Architecture'].map((field) => {
        const value = fields.get(field);
        if (value === undefined) throw new Error(`a record of ${fields.get('Package')} has no ${field}`);
        return value;
      }) as [string, string, string];
      const component = new Models.Component(Enums.ComponentType.Library, name, {
        version,
        bomRef: `debian/${name}`,
        purl: `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}&distro=debian-${release}`,
        scope: Enums.ComponentScope.Required,
      });
      const source = fields.get('Source');
      if (source !== undefined) component.properties.add(new Models.Property('trapline:debian-source', source));
      return component;
    });
}

/** Parses single-line fields; other fields are not needed. */
function fieldsOf(record: string): ReadonlyMap<string, string> {
  return new Map([...record.matchAll(/^([A-Z][\w-]*): (.*)$/gm)].map(([, name = '', value = '']) => [name, value]));
}
