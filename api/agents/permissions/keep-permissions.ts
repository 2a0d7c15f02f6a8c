import { LEAST_PERMISSIONS } from './permission-config.ts';

type Config = Record<string, unknown>;

/**
 * The configuration as it is stored. A new agent whose configuration names neither permissions nor tools gets the least; a change that leaves the
 * permissions out keeps those there were, so that nothing is permitted by leaving something out. Agents of earlier versions, which have neither, stay as they are.
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
