import type { DialogSite } from './dialog-sites.ts';
import type { DialogSubjects } from './dialog-subjects.ts';

/** An action of a user. Most actions open a dialog; the others prepare it. */
export type Step =
  /** Clicks a button: in the topmost dialog if one is open, else on the page. */
  | { readonly button: string | RegExp; readonly opens: boolean }
  | { readonly row: string; readonly index: number; readonly opens: boolean }
  | { readonly key: string }
  | { readonly fill: string; readonly value: string }
  | { readonly select: string; readonly value: string }
  /** Waits until no dialog is open. */
  | { readonly closed: true }
  /** Advances the clock of the page, as for a user who returns later. */
  | { readonly minutesLater: number }
  /** Removes the clipboard, which browsers do not provide on an address without TLS. */
  | { readonly withoutClipboard: true };

/** A dialog and the actions that open it. */
export interface Dialog {
  readonly site: DialogSite;
  readonly address: string;
  readonly steps: readonly Step[];
}

const button = (name: string | RegExp): Step => ({ button: name, opens: true });
const press = (name: string | RegExp): Step => ({ button: name, opens: false });
const row = (list: string, index = 0): Step => ({ row: list, index, opens: true });
const choose = (list: string, index = 0): Step => ({ row: list, index, opens: false });
const fill = (label: string, value: string): Step => ({ fill: label, value });

/**
 * Dialogs that another test opens and checks, with the file of that test: `dialogsOf` cannot provide what they need.
 */
export const OPENED_ELSEWHERE: Readonly<Record<DialogSite, string>> = {
  // Browsers accept passkeys for host names, and these tests open an IP address.
  'pages/second-factor/second-factor-section.tsx passkeys.title': 'accounts.test.ts',
};

/**
 * Returns every dialog of the console, by the page that opens it. Closing a dialog changes nothing that a later dialog
 * needs. Long: a list.
 */
export function dialogsOf(subjects: DialogSubjects): readonly Dialog[] {
  const detection = `/detections/${subjects.detection}`;
  const caseAddress = `/cases/${subjects.case}`;
  const workflow = '/workflows/isolate-host';
  const agent = '/agents/host-timeline';
  const run = `${agent}/executions/${subjects.run}`;
  const output = `/outputs/${subjects.refusingOutput}`;
  const user = `/admin/users/${subjects.otherUser}`;
  const on = (address: string, ...dialogs: readonly (readonly [site: DialogSite, ...steps: Step[]])[]): Dialog[] =>
    dialogs.map(([site, ...steps]) => ({ site, address, steps }));
  const SAVED = 'pages/detections/saved-filters-bar.tsx';
  const FACTORS = 'pages/second-factor/second-factor-section.tsx';
  const KEY = 'pages/keys/key-details.tsx';
  const DETECTOR = 'pages/detectors/detector-details.tsx';
  const REFUSED = 'pages/outputs/refused-messages.tsx';
  return [
    ...on(
      '/detections?severity=critical',
      ['app/shortcut-help.tsx title', { key: '?' }],
      [`${SAVED} title`, button('Save filters…')],
      [
        `${SAVED} removeTitle`,
        button('Save filters…'),
        fill('Name', 'urgent'),
        press('Save'),
        { closed: true },
        button('Remove “urgent”'),
      ],
    ),
    ...on(
      detection,
      ['pages/detections/close-dialog.tsx title', button('Close…')],
      ['pages/detection/exception-dialog.tsx requestTitle|title', button('Create exception…')],
      ['pages/hand-off/add-dialog.tsx title', button('Add to case…')],
      ['pages/hand-off/run-dialog.tsx titles', button('Run workflow…')],
      ['pages/hand-off/run-dialog.tsx titles', button('Ask agent…')],
      ['pages/hand-off/copy-markdown.tsx title', { withoutClipboard: true }, button('Copy as Markdown')],
    ),
    ...on('/cases', ['pages/cases/new-case.tsx title', button('Create case')]),
    ...on(
      caseAddress,
      ['pages/cases/case-dialogs.tsx title', button('Edit…')],
      ['pages/cases/case-dialogs.tsx title', button('Close…')],
      ['pages/hand-off/comment-item.tsx deleteTitle', button(/^Delete the comment by /)],
      ['pages/cases/files-section.tsx deleteTitle', button('Delete access.log')],
    ),
    ...on(
      '/case-templates',
      ['pages/cases/template-form.tsx formTitles', button('Create template')],
      ['pages/cases/template-form.tsx formTitles', button('Edit Exploit')],
      ['routes/_signed-in/case-templates/index.tsx deleteTitle', button('Delete Exploit')],
    ),
    ...on(
      '/dead-letters',
      ['pages/dead-letters/redrive.tsx title', button('Retry all matching')],
      ['pages/dead-letters/redrive-progress.tsx running|finished', button('Retry all matching'), button('Retry')],
    ),
    ...on(
      '/exceptions',
      ['pages/exceptions/exception-details.tsx title', row('Exceptions')],
      ['pages/exceptions/exception-details.tsx title', row('Exceptions'), button('Remove')],
    ),
    ...on('/exceptions?tab=requests', ['pages/exceptions/request-details.tsx title', row('Exception requests')]),
    ...on(
      output,
      ['routes/_signed-in/outputs/$id.tsx deletion.title', button('Delete')],
      [`${REFUSED} detailsTitle`, row('Failed deliveries')],
      [`${REFUSED} retryTitle`, row('Failed deliveries'), button('Retry')],
      [`${REFUSED} retryAllTitle`, button('Retry all')],
    ),
    ...on('/workflows', ['pages/workflows/new-workflow.tsx title', button('Create workflow')]),
    ...on(
      `${workflow}?tab=executions`,
      ['pages/workflows/bulk-actions.tsx cancelTitle|replayTitle', button('Cancel matching…')],
      ['pages/workflows/bulk-actions.tsx cancelTitle|replayTitle', button('Replay matching…')],
    ),
    ...on(`${workflow}?tab=limits`, ['pages/workflows/pause-control.tsx pauseTitle', button('Pause…')]),
    ...on(`${workflow}?tab=definition`, [
      'pages/workflows/definition-editor.tsx reviewTitle',
      press('Edit'),
      button('Review changes…'),
    ]),
    ...on(`${workflow}?tab=versions`, [
      'pages/workflows/versions-tab.tsx restoreTitle',
      choose('Versions', 1),
      button('Restore version 1…'),
    ]),
    ...on(
      `${workflow}?tab=triggers`,
      ['pages/workflows/webhook-section.tsx renewTitle', button('New secret…')],
      ['pages/workflows/webhook-section.tsx closeTitle', button('Remove webhook…')],
    ),
    ...on(`/executions/${subjects.execution}`, [
      'pages/executions/execution-actions.tsx cancelTitle',
      button('Cancel execution…'),
    ]),
    ...on('/approvals', ['pages/executions/answer-drawer.tsx', row('Approvals')]),
    ...on('/agents', ['pages/agents/new-agent.tsx title', button('Create agent')]),
    ...on(`${agent}?tab=workspace`, [
      'pages/agents/file-editor.tsx removeTitle',
      press(/^agent\.js/),
      button('Remove…'),
    ]),
    ...on(
      `${agent}?tab=examples`,
      ['pages/agents/example-drawer.tsx title', button('New test case')],
      ['pages/agents/example-drawer.tsx removeTitle', button('first'), button('Remove…')],
    ),
    ...on(run, ['pages/agents/agent-execution-actions.tsx exampleTitle', button('Save as test case…')]),
    ...on(`${run}?tab=review`, ['pages/agents/review-tab.tsx removeTitle', button('Delete review…')]),
    ...on(`/agents/asks-first/executions/${subjects.waitingRun}`, [
      'pages/agents/agent-execution-actions.tsx cancelTitle',
      button('Cancel run…'),
    ]),
    ...on('/first-steps', ['pages/first-steps/replay-demo.tsx removal.title', button('Remove demo data')]),
    ...on(
      '/keys',
      ['pages/keys/new-key.tsx title', button('Create key')],
      [`${KEY} title`, row('Your keys')],
      [`${KEY} question`, row('Your keys'), button('Revoke')],
      ['pages/keys/rotate-key.tsx title', row('Your keys'), button('Rotate…')],
      ['pages/keys/key-restrictions.tsx title', row('Your keys'), button('Restrict…')],
    ),
    ...on(
      '/profile',
      [`${FACTORS} confirm.title`, { minutesLater: 11 }, button('Create new recovery codes')],
      [`${FACTORS} recovery.question`, button('Create new recovery codes')],
      [`${FACTORS} removeTitle`, button('Remove Authenticator app')],
      [`${FACTORS} recovery.title`, button('Create new recovery codes'), button('Create codes')],
      [
        `${FACTORS} totp.title`,
        button('Remove Authenticator app'),
        press('Remove'),
        { closed: true },
        button('Set up authenticator app'),
      ],
    ),
    ...on(
      '/admin/detectors',
      ['pages/detectors/new-token.tsx title', button('Enrol host')],
      [`${DETECTOR} title`, row('Detectors')],
      [`${DETECTOR} question`, row('Detectors'), button('Revoke')],
    ),
    ...on('/admin/identity-providers', [
      'pages/identity-providers/provider-dialog.tsx titleOf',
      row('Identity providers'),
    ]),
    ...on('/admin/users', ['pages/admin/new-user.tsx title', button('Create user')]),
    ...on(
      user,
      ['pages/admin/user-changes.tsx', { select: 'Role', value: 'user' }, button('Change role')],
      ['pages/admin/user-changes.tsx', button('Disable user')],
      ['pages/admin/password-link.tsx title', button('Create password link')],
      ['pages/admin/second-factors.tsx question', button('Remove second factors')],
    ),
    ...on(
      '/admin/teams',
      ['pages/admin/team-dialog.tsx editTitle|create', button('Create team')],
      ['pages/admin/team-dialog.tsx editTitle|create', row('Teams')],
      ['pages/admin/team-dialog.tsx removeTitle', row('Teams'), button('Delete team…')],
    ),
    ...on(
      '/admin/audit-log',
      ['pages/admin/verify-audit-log.tsx title', button('Verify audit log')],
      ['pages/admin/audit-entry.tsx title', row('Audit log entries')],
    ),
  ];
}
