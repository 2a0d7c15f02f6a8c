import { call } from '../../api/client.ts';
import { DetailsDialog } from '../../parts/details-dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { type Exception, subjectText } from './exception-state.ts';
import { ExceptionStateBadge } from './exception-state-badge.tsx';

/** One exception, and the way to take it away. Closed while `exception` is undefined. */
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
  if (exception === undefined) return null;
  const { id, reason, expires, createdAt, createdBy, endedAt, endedBy, detection } = exception;
  return (
    <DetailsDialog
      title="Exception"
      onClose={onClose}
      action={
        removable && endedAt === null
          ? {
              text: 'Take it away',
              color: 'red',
              question: 'Take this exception away?',
              confirm: 'Take it away',
              consequence: `It silences ${subjectText(exception)}. Detections it silenced are announced when they grow. It stays in the list of those that were taken away.`,
              async run() {
                await call('delete', '/api/exceptions/{id}', { path: { id } });
                showDone('The exception is gone. Within seconds nothing is silenced by it any more.');
                onRemoved();
              },
            }
          : undefined
      }
    >
      <Facts
        facts={[
          ['Silences', subjectText(exception)],
          ['Why', reason],
          ['State', <ExceptionStateBadge key="state" of={exception} />],
          ['Until', expires === null ? 'for good' : <TimeText key="until" at={expires} />],
          [
            'Made',
            <>
              <TimeText at={createdAt} /> by {createdBy}
            </>,
          ],
          ...(endedAt === null
            ? []
            : [
                [
                  'Taken away',
                  <>
                    <TimeText at={endedAt} /> by {endedBy}
                  </>,
                ] as const,
              ]),
          ...(detection === null
            ? []
            : [
                [
                  'Made from',
                  <PageLink key="detection" to="/detections/$id" params={{ id: detection }} underline="always" inherit>
                    a detection
                  </PageLink>,
                ] as const,
              ]),
        ]}
      />
    </DetailsDialog>
  );
}
