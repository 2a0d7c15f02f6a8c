import type { IconName } from '../parts/icons.tsx';

/** Icons in the navigation, by page path. */
const ICONS: Readonly<Record<string, IconName>> = {
  '/detections': 'detection',
  '/cases': 'case',
  '/events': 'activity',
  '/hosts': 'host',
  '/dead-letters': 'deadLetter',
  '/rules': 'rule',
  '/exceptions': 'exception',
  '/outputs': 'output',
  '/workflows': 'workflow',
  '/executions': 'execution',
  '/approvals': 'approval',
  '/agents': 'agent',
  '/workers': 'worker',
  '/first-steps': 'firstSteps',
  '/keys': 'key',
  '/dashboard': 'system',
  '/admin/users': 'users',
  '/admin/teams': 'team',
  '/admin/identity-providers': 'identityProvider',
  '/admin/audit-log': 'auditLog',
  '/admin/detectors': 'detector',
};

/** Returns the icon of a page. A page that is not in the table has a neutral icon. */
export function sectionIcon(path: string): IconName {
  return ICONS[path] ?? 'empty';
}
