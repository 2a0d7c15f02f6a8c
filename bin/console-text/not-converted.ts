/** Folders and files (without `.tsx`) below `dashboards/console/src` whose components still contain literals. */
export const NOT_CONVERTED: readonly string[] = ['pages/agents', 'routes/_signed-in/agents'];
