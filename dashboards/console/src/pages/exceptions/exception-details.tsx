import { call } from '../../api/client.ts';
import { useRuleTitle } from '../../api/rules.ts';
import { actorName } from '../../parts/actor-name.ts';
import { DetailsDialog } from '../../parts/details-dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { type Exception, subjectText } from './exception-state.ts';
import { ExceptionStateBadge } from './exception-state-badge.tsx';
import { EXCEPTIONS_TEXT } from './text.ts';

const { details: TEXT, removal: REMOVAL } = EXCEPTIONS_TEXT;

/** One exception, with the action that removes it. Closed while `exception` is undefined. */
export function ExceptionDetails({
  exception,
  removable,
  onClose,
  onRemoved,
}: {
  readonly exception: Exception | undefined;
  readonly removable: boolean;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}) {
  const titleOf = useRuleTitle();
  if (exception === undefined) return null;
  const { id, reason, expires, createdAt, createdBy, createdByName, endedAt, endedBy, endedByName, detection } =
    exception;
  return (
    <DetailsDialog
      title={TEXT.title}
      onClose={onClose}
      action={
        removable && endedAt === null
          ? {
              text: REMOVAL.action,
              destructive: true,
              question: REMOVAL.title,
              confirm: REMOVAL.action,
              consequence: REMOVAL.consequence(subjectText(exception, titleOf)),
              async run() {
                await call('delete', '/api/exceptions/{id}', { path: { id } });
                showDone(REMOVAL.done);
                onRemoved();
              },
            }
          : undefined
      }
    >
      <Facts
        facts={[
          [TEXT.silences, subjectText(exception, titleOf)],
          [TEXT.reason, reason],
          [TEXT.state, <ExceptionStateBadge key="state" of={exception} />],
          [TEXT.expires, expires === null ? EXCEPTIONS_TEXT.never : <TimeText key="until" at={expires} />],
          [
            TEXT.created,
            <>
              <TimeText at={createdAt} />
              {TEXT.by(actorName(createdBy, createdByName))}
            </>,
          ],
          ...(endedAt === null
            ? []
            : [
                [
                  TEXT.removed,
                  <>
                    <TimeText at={endedAt} />
                    {TEXT.by(actorName(endedBy, endedByName))}
                  </>,
                ] as const,
              ]),
          ...(detection === null
            ? []
            : [
                [
                  TEXT.createdFrom,
                  <PageLink key="detection" to="/detections/$id" params={{ id: detection }} underline="always" inherit>
                    {TEXT.detection}
                  </PageLink>,
                ] as const,
              ]),
        ]}
      />
    </DetailsDialog>
  );
}
