import { LEAST_PERMISSIONS } from './permission-config.ts';

type Config = Record<string, unknown>;

/**
 * Returns the configuration to store. A new agent without permissions and tools receives the minimum. A change without
 * permissions keeps the existing ones, so an omission never grants anything. Agents of earlier versions, which have
 * neither, are unchanged.
 */
export function keepPermissions(config: Config, before?: Config): Config {
  if (config.permissions === undefined && before?.permissions !== undefined)
    return { ...config, permissions: before.permissions };
  if (isSet(config) || (before !== undefined && !isSet(before))) return config;
  return { ...config, permissions: LEAST_PERMISSIONS };
}

function isSet({ permissions, tools }: Config): boolean {
  return permissions !== undefined || tools !== undefined;
}
