import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { refreshExceptions } from '../../api/exceptions.ts';
import type { Answer } from '../../api/operations.ts';
import { LiveExceptionPreview } from '../../parts/exceptions/live-exception-preview.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import { PARTS_TEXT } from '../../parts/text.ts';
import { TimeText } from '../../parts/time/time-text.tsx';
import { RequestStateBadge } from './request-state-badge.tsx';
import { Subject } from './subject.tsx';
import { EXCEPTIONS_TEXT } from './text.ts';

const { requests: TEXT, details: DETAILS } = EXCEPTIONS_TEXT;

export type ExceptionRequest = Answer<'get', '/api/exception-requests'>['data'][number];
type Decision = 'approve' | 'reject' | 'withdraw';

/** One exception request, with a preview of its effect and the decision about it. */
export function RequestDetails({
  request,
  mayDecide,
  onClose,
}: {
  readonly request: ExceptionRequest;
  readonly mayDecide: boolean;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const { id, own, state } = request;
  const deciding = useMutation({
    async mutationFn(decision: Decision) {
      const path = { id };
      if (decision === 'withdraw') {
        await call('delete', '/api/exception-requests/{id}', { path });
        return TEXT.withdrawn;
      }
      const body = { reason: reason.trim() };
      if (decision === 'reject') {
        await call('post', '/api/exception-requests/{id}/reject', { path, body });
        return TEXT.rejected;
      }
      const { silenced } = await call('post', '/api/exception-requests/{id}/approve', { path, body });
      return PARTS_TEXT.exceptions.approved(silenced);
    },
    async onSuccess(done) {
      await refreshExceptions(queries);
      showDone(done);
      onClose();
    },
  });
  const decides = state === 'open' && mayDecide && !own;
  return (
    <Modal opened onClose={onClose} size="lg" title={TEXT.title} closeButtonProps={{ 'aria-label': PARTS_TEXT.close }}>
      <Stack gap="xs">
        <Facts facts={factsOf(request)} />
        {state === 'open' && <LiveExceptionPreview draft={previewOf(request)} label={TEXT.loadingPreview} />}
        {state === 'open' && !decides && (
          <Text size="sm" c="dimmed">
            {own && mayDecide ? TEXT.own : TEXT.wait}
          </Text>
        )}
        {decides && (
          <Textarea
            label={TEXT.why}
            description={TEXT.whyHint}
            required
            autosize
            minRows={2}
            maxLength={2_000}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
        )}
        {deciding.isError && <FailureNotice error={deciding.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {PARTS_TEXT.close}
          </Button>
          {state === 'open' && own && (
            <Button variant="default" loading={deciding.isPending} onClick={() => deciding.mutate('withdraw')}>
              {TEXT.withdraw}
            </Button>
          )}
          {decides && (
            <>
              <Button
                variant="default"
                disabled={reason.trim() === '' || deciding.isPending}
                onClick={() => deciding.mutate('reject')}
              >
                {TEXT.reject}
              </Button>
              <Button
                disabled={reason.trim() === ''}
                loading={deciding.isPending}
                onClick={() => deciding.mutate('approve')}
              >
                {TEXT.approve}
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

export function requesterOf({
  requestedBy,
  requesterName,
  own,
}: Pick<ExceptionRequest, 'requestedBy' | 'requesterName' | 'own'>): string {
  const name = requesterName ?? (requestedBy === 'operator' ? PARTS_TEXT.operator : TEXT.unknown);
  return own ? TEXT.you(name) : name;
}

/** Returns the requested exception, as JSON for the preview. */
function previewOf({ hostname, program, file, rule, expires }: ExceptionRequest): string {
  const given = Object.entries({ hostname, program, file, rule }).filter(([, value]) => value !== null);
  return JSON.stringify({ ...Object.fromEntries(given), expires });
}

function factsOf(request: ExceptionRequest) {
  const { reason, state, expires, createdAt, detection, decidedAt, decidedByName, decidedBy, decisionReason } = request;
  return [
    [DETAILS.silences, <Subject key="subject" of={request} />],
    [DETAILS.reason, reason],
    [DETAILS.state, <RequestStateBadge key="state" state={state} />],
    [DETAILS.expires, expires === null ? EXCEPTIONS_TEXT.never : <TimeText key="until" at={expires} />],
    [
      TEXT.requested,
      <span key="requested">
        <TimeText at={createdAt} />
        {DETAILS.by(requesterOf(request))}
      </span>,
    ],
    ...(detection === null
      ? []
      : [
          [
            DETAILS.createdFrom,
            <PageLink key="detection" to="/detections/$id" params={{ id: detection }} underline="always" inherit>
              {DETAILS.detection}
            </PageLink>,
          ] as const,
        ]),
    ...(decidedAt === null
      ? []
      : [
          [
            TEXT.decided,
            <span key="decided">
              <TimeText at={decidedAt} />
              {DETAILS.by(decidedByName ?? decidedBy)}
            </span>,
          ] as const,
        ]),
    ...(decisionReason === null ? [] : [[TEXT.why, decisionReason] as const]),
  ] as const;
}
