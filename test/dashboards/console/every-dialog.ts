import type { Page } from 'playwright-core';
import type { WatchedPage } from '#test/support/chromium.ts';
import type { ConsoleServer } from '#test/support/console-server.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { type Made, openInConsole } from './every-page.ts';

/** How a dialog is opened: a button by its name, the first row of the list, or a key. */
type Step = { readonly button: string | RegExp } | { readonly row: string } | { readonly key: string };

interface Dialog {
  readonly address: string;
  readonly steps: readonly Step[];
}

const button = (name: string | RegExp): Step => ({ button: name });

/** Every dialog that opens without a lasting change, by the page that it opens on. */
function dialogsOf(made: Made): Dialog[] {
  const detection = `/detections/${made.detection}`;
  const caseAddress = `/cases/${made.case}`;
  const workflow = '/workflows/isolate-host';
  const agent = '/agents/host-timeline';
  const on = (address: string, ...dialogs: readonly (readonly Step[])[]) =>
    dialogs.map((steps) => ({ address, steps }));
  return [
    ...on('/detections?severity=critical', [{ key: '?' }], [button('Save filters…')]),
    ...on(
      detection,
      [button('Close…')],
      [button('Create exception…')],
      [button('Add to case…')],
      [button('Run workflow…')],
      [button('Ask agent…')],
    ),
    ...on('/cases', [button('Create case')]),
    ...on(caseAddress, [button('Edit…')], [button('Close…')], [button(/^Delete the comment by /)]),
    ...on('/case-templates', [button('Create template')], [button('Edit Exploit')], [button('Delete Exploit')]),
    ...on('/dead-letters', [button('Retry all matching')]),
    ...on('/exceptions', [{ row: 'Exceptions' }]),
    ...on('/exceptions?tab=requests', [{ row: 'Requests for exceptions' }]),
    ...on(`/outputs/${made.output}`, [button('Delete')]),
    ...on('/workflows', [button('Create workflow')]),
    ...on(`${workflow}?tab=executions`, [button('Cancel matching…')], [button('Replay matching…')]),
    ...on(`${workflow}?tab=limits`, [button('Pause…')]),
    ...on(`/executions/${made.execution}`, [button('Cancel execution…')]),
    ...on('/approvals', [{ row: 'Approvals' }]),
    ...on('/agents', [button('Create agent')]),
    ...on(`${agent}?tab=examples`, [button('New test case')]),
    ...on('/first-steps', [button('Remove demo data')]),
    ...on('/keys', [button('Create key')]),
    ...on('/admin/detectors', [button('Enrol host')], [{ row: 'Detectors' }], [{ row: 'Detectors' }, button('Revoke')]),
    ...on('/admin/users', [button('Create user')]),
    ...on('/admin/teams', [button('Create team')]),
    ...on('/admin/audit-log', [button('Verify audit log')], [{ row: 'Audit log entries' }]),
  ];
}

async function take(page: Page, step: Step): Promise<void> {
  if ('key' in step) await page.keyboard.press(step.key);
  else if ('row' in step)
    await page.getByRole('grid', { name: step.row, exact: true }).locator('[data-index="0"]').click();
  else {
    const { button: name } = step;
    // Within a dialog that is open already.
    const dialog = page.getByRole('dialog');
    const within = (await dialog.count()) > 0 ? dialog.last() : page;
    await within
      .getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) })
      .first()
      .click();
  }
  await page.getByRole('dialog').last().waitFor();
}

/** Opens every dialog in turn, signed in as an administrator, and calls `look` while it is open. */
export async function visitEveryDialog(
  server: ConsoleServer,
  watched: WatchedPage,
  made: Made,
  look: (dialog: string) => Promise<void>,
): Promise<void> {
  const { page, context } = watched;
  await server.visit(watched, 'admin', '/first-steps');
  for (const [index, { address, steps }] of dialogsOf(made).entries()) {
    // From an address of its own, so that the console need not slow down before the limit of requests.
    await context.setExtraHTTPHeaders({ 'x-forwarded-for': `198.51.100.${index + 1}` });
    await openInConsole(page, '/profile');
    await openInConsole(page, address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    for (const step of steps) await take(page, step);
    const title = await page.getByRole('dialog').last().getByRole('heading').first().textContent();
    await look(`${address}: ${title}`);
    // The first Escape may close a list of suggestions within the dialog.
    await waitFor(`${address}: ${title} to close`, async () => {
      await page.keyboard.press('Escape');
      return (await page.getByRole('dialog').count()) === 0;
    });
  }
}
