/** Folders and files (without `.tsx`) below `dashboards/console/src` whose components still contain literals. */
export const NOT_CONVERTED: readonly string[] = [
  'pages/admin',
  'pages/agents',
  'pages/executions',
  'pages/workflows',
  'routes/_signed-in/admin',
  'routes/_signed-in/agents',
  'routes/_signed-in/approvals',
  'routes/_signed-in/executions',
  'routes/_signed-in/workflows',
];
