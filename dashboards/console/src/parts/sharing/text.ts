import { catalogue } from '../../language/catalogue.ts';

/** All texts about sharing workflows and agents. */
export const SHARING_TEXT = catalogue('sharing', {
  loading: 'Loading the grants',
  list: 'Shared with',
  columns: { who: 'Shared with', permission: 'Permission', actions: 'Actions' },
  empty: 'No grants for individual users, teams or roles.',
  visibility: {
    private: 'Private: the owner, administrators, and the grants below.',
    shared: 'Shared: everyone who can run workflows and agents can run this one.',
  },
  notSharable: 'Only the owner and administrators can change who has access.',
  mine: (permissions: readonly string[]) => `You can ${permissions.join(', ')}.`,
  mayView: 'view',
  mayRun: 'run',
  mayEdit: 'edit',
  user: (name: string) => name,
  team: (name: string) => `Team ${name}`,
  role: (name: string) => `Everyone with the role ${name} or higher`,
  permissions: {
    view: 'View',
    run: 'Run',
    edit: 'Edit',
    approve: 'Approve',
  },
  permissionHints: {
    view: 'Definition and all executions',
    run: 'View, run and cancel',
    edit: 'Run and change. Scheduled runs use the rights and secrets of the owner',
    approve: 'View, and approve if the workflow names no approvers',
  },
  form: {
    title: 'Share',
    kind: 'With',
    kinds: { user: 'User', team: 'Team', role: 'Role' },
    user: 'User name',
    team: 'Team',
    noTeams: 'No teams. Administrators create them.',
    role: 'Role',
    choose: 'Select',
    permission: 'Permission',
    submit: 'Share',
    done: 'Shared.',
  },
  remove: (who: string) => `Remove the grant of ${who}`,
  removeShort: 'Remove',
  removed: 'Grant removed.',
} as const);
