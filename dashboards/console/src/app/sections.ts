import type { Role } from '#schemas/api/role-order.ts';

export interface Section {
  readonly label: string;
  readonly to: string;
  /** Who sees it. */
  readonly role: Role;
  /** Keys that lead there, one after the other. */
  readonly keys: string;
}

/** The navigation, in its order. */
export const SECTIONS: readonly { readonly label: string; readonly sections: readonly Section[] }[] = [
  {
    label: 'Detection',
    sections: [
      { label: 'Detections', to: '/detections', role: 'analyst', keys: 'g d' },
      { label: 'Events', to: '/events', role: 'analyst', keys: 'g e' },
      { label: 'Hosts', to: '/hosts', role: 'analyst', keys: 'g h' },
      { label: 'Dead letters', to: '/dead-letters', role: 'analyst', keys: 'g l' },
      { label: 'Rules', to: '/rules', role: 'analyst', keys: 'g r' },
      { label: 'Exceptions', to: '/exceptions', role: 'analyst', keys: 'g x' },
      { label: 'Outputs', to: '/outputs', role: 'admin', keys: 'g o' },
    ],
  },
  {
    label: 'Automation',
    sections: [
      { label: 'Workflows', to: '/workflows', role: 'user', keys: 'g w' },
      { label: 'Executions', to: '/executions', role: 'user', keys: 'g v' },
      { label: 'Approvals', to: '/approvals', role: 'user', keys: 'g p' },
      { label: 'Agents', to: '/agents', role: 'user', keys: 'g a' },
    ],
  },
  {
    label: 'Account',
    sections: [
      { label: 'First steps', to: '/first-steps', role: 'user', keys: 'g f' },
      { label: 'Keys and usage', to: '/keys', role: 'user', keys: 'g k' },
    ],
  },
  {
    label: 'Administration',
    sections: [
      { label: 'System', to: '/dashboard', role: 'admin', keys: 'g s' },
      { label: 'Users', to: '/admin/users', role: 'admin', keys: 'g u' },
      { label: 'Audit log', to: '/admin/audit-log', role: 'admin', keys: 'g t' },
    ],
  },
];
