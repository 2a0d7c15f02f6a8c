import { may } from '../../api/session.ts';
import { useProfile } from '../../app/use-profile.ts';
import { PageLink } from '../page-link.tsx';
import { visible } from '../visible.ts';
import { type Started, starterParts } from './starter.ts';
import { EXECUTION_TEXT } from './text.ts';

const TEXT = EXECUTION_TEXT.starter;

/**
 * Starter of an execution, shown after the start time. Administrators get a link to the account. All users get a link
 * to the execution whose step started it.
 */
export function StartedBy({ execution }: { readonly execution: Started }) {
  const administrator = may(useProfile(), 'admin');
  const { name, notes } = starterParts(execution);
  if (name === '') return null;
  const { user = null, executionId = null } = execution.startedBy ?? {};
  if (user !== null)
    return (
      <>
        {TEXT.byUser}
        {administrator ? (
          <PageLink to="/admin/users/$id" params={{ id: user.id }} inherit>
            {visible(name)}
          </PageLink>
        ) : (
          visible(name)
        )}
        {visible(TEXT.notes(notes))}
      </>
    );
  if (executionId !== null)
    return (
      <>
        {TEXT.byExecution}
        <PageLink to="/executions/$id" params={{ id: executionId }} inherit>
          {name}
        </PageLink>
      </>
    );
  return TEXT.by(`${name}${TEXT.notes(notes)}`);
}
