/**
 * Import directions. A file may import from its own folder and from the folders on its line, separated by spaces. The
 * longest folder that contains the file decides. `*` means all folders.
 */
export const MAY_IMPORT: Readonly<Record<string, string>> = {
  schemas: '',
  analytics: 'schemas',
  ingest: 'schemas analytics',
  'api/threads': '',
  'api/postgres': 'schemas',
  'api/shared-state': 'schemas',
  'api/http': 'schemas analytics api/shared-state',
  'api/outbound': 'schemas api/http',
  'api/read-replica': 'api/http api/postgres api/shared-state',
  'api/audit': 'schemas api/http api/postgres api/read-replica',
  'api/leases': 'api/postgres',
  'api/jobs': 'schemas api/http api/postgres api/leases',
  'api/accounts': 'schemas api/http api/postgres api/shared-state api/threads api/audit api/jobs',
  'api/sharing': 'schemas api/http api/postgres api/audit api/accounts',
  'api/scim': 'schemas api/http api/postgres api/audit api/accounts api/sharing',
  'api/detectors': 'schemas api/http api/postgres api/audit api/accounts',
  'api/telemetry': 'schemas analytics api/http api/postgres api/shared-state api/audit api/jobs api/accounts',
  'api/detections': 'schemas analytics api/http api/postgres api/audit api/telemetry',
  'api/scrapers': 'schemas analytics api/http api/shared-state api/outbound',
  'api/executions':
    'schemas analytics api/http api/postgres api/shared-state api/outbound api/threads api/audit api/leases api/jobs api/accounts api/telemetry api/detections api/scrapers api/read-replica api/sharing',
  'api/cases':
    'schemas analytics api/http api/postgres api/audit api/jobs api/accounts api/detections api/executions api/sharing',
  'api/workflows':
    'schemas analytics api/http api/postgres api/threads api/audit api/leases api/jobs api/accounts api/detections api/executions api/read-replica api/sharing',
  'api/agents':
    'schemas analytics api/http api/postgres api/outbound api/threads api/audit api/accounts api/detections api/executions api/workflows api/read-replica api/sharing',
  'api/outputs':
    'schemas analytics api/http api/postgres api/outbound api/audit api/leases api/jobs api/detections api/cases api/executions api/workflows',
  'api/mcp': 'schemas api/http',
  'api/clients': '',
  api: 'schemas analytics api',
  dashboards: 'schemas',
  deploy: 'schemas analytics ingest api dashboards deploy bin',
  docs: 'schemas analytics deploy docs',
  bin: '',
  examples: '*',
  test: '*',
};
