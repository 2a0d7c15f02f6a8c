import { Button, Collapse, Drawer, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { answerTo, eventId, isAnswerable } from '#schemas/api/answer-event.ts';
import { type Body, call } from '../../api/client.ts';
import { useProfile } from '../../app/use-profile.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { JsonText } from '../../parts/json-text.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { ApprovalFacts } from './approval-facts.tsx';
import { unitOf, unitTitle, type Wait } from './queries.ts';
import { EXECUTIONS_TEXT } from './text.ts';
import { ToolCall } from './tool-call.tsx';

const TEXT = EXECUTIONS_TEXT.answer;

/** The event for which an execution waits, and a form for the response: approval, rejection, or a custom event. */
export function AnswerDrawer({
  wait,
  onClose,
  onAnswered,
}: {
  readonly wait: Wait | undefined;
  readonly onClose: () => void;
  readonly onAnswered: () => void;
}) {
  return (
    <Drawer
      opened={wait !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={wait === undefined ? undefined : unitTitle(wait)}
      closeButtonProps={{ 'aria-label': TEXT.close }}
    >
      {wait !== undefined && <Answer wait={wait} onAnswered={onAnswered} />}
    </Drawer>
  );
}

/** Long: the markup of one form. */
function Answer({ wait, onAnswered }: { readonly wait: Wait; readonly onAnswered: () => void }) {
  const { username } = useProfile();
  const [note, setNote] = useState('');
  const [own, setOwn] = useState<string>();
  const [failure, setFailure] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const example = answerTo(wait, { approved: true, by: username, ...(note === '' ? {} : { note }) });
  const { complete } = example;
  const answerable = isAnswerable(wait);

  async function decide(approved: boolean) {
    setBusy(true);
    setFailure(undefined);
    try {
      const { executionId, wait: id } = wait;
      const body = { executionId, wait: id, approved, ...(note === '' ? {} : { note }) };
      const { outcome, approvals = 0, needed = 0 } = await call('post', '/api/v1/waits/decide', { body });
      showDone(outcome === 'counted' ? TEXT.counted(approvals, needed) : approved ? TEXT.approved : TEXT.rejected);
      onAnswered();
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  }

  async function send(event: object, done: string) {
    setBusy(true);
    setFailure(undefined);
    try {
      await call('post', '/api/v1/events', {
        body: { id: eventId(), ...event } as Body<'post', '/api/v1/events'>,
      });
      showDone(done);
      onAnswered();
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  }

  async function sendOwn() {
    try {
      await send(JSON.parse(own ?? '') as object, TEXT.sent);
    } catch (error) {
      setFailure(error);
    }
  }

  return (
    <Stack gap="sm">
      {unitOf(wait)?.summary && <Text size="sm">{unitOf(wait)?.summary}</Text>}
      <Text size="sm">
        {TEXT.since}
        <TimeText at={wait.since} />.{' '}
        {wait.agent === null ? (
          <PageLink to="/executions/$id" params={{ id: wait.executionId }} underline="always">
            {TEXT.execution}
          </PageLink>
        ) : (
          <PageLink
            to="/agents/$id/executions/$execution"
            params={{ id: wait.agent.name, execution: wait.executionId }}
            underline="always"
          >
            {TEXT.execution}
          </PageLink>
        )}
      </Text>
      {wait.toolCall !== null && <ToolCall toolCall={wait.toolCall} />}
      {wait.toolCall === null && wait.input !== undefined && (
        <JsonText value={JSON.stringify(wait.input, null, 2)} label={TEXT.input} />
      )}
      <ApprovalFacts wait={wait} />
      {!answerable && <Text>{TEXT.automatic}</Text>}
      {answerable && complete && own === undefined && (
        <>
          <Textarea
            label={TEXT.note}
            description={TEXT.noteHint}
            autosize
            minRows={2}
            maxLength={4000}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          <Group>
            <Button loading={busy} onClick={() => void decide(true)}>
              {TEXT.approve}
            </Button>
            <Button variant="default" c="var(--mantine-color-error)" loading={busy} onClick={() => void decide(false)}>
              {TEXT.reject}
            </Button>
          </Group>
        </>
      )}
      {answerable && !complete && own === undefined && <Text>{TEXT.eventNeeded}</Text>}
      {answerable && own === undefined && wait.approval === null && (
        <Group>
          <Button size="compact" variant="default" onClick={() => setOwn(JSON.stringify(example.event, null, 2))}>
            {TEXT.writeEvent}
          </Button>
        </Group>
      )}
      <Collapse expanded={own !== undefined}>
        <Stack gap="sm">
          <Textarea
            label={TEXT.event}
            description={TEXT.eventHint}
            autosize
            minRows={6}
            maxRows={24}
            spellCheck={false}
            classNames={{ input: 'tl-mono' }}
            value={own ?? ''}
            onChange={(event) => setOwn(event.currentTarget.value)}
          />
          <Group>
            <Button loading={busy} onClick={() => void sendOwn()}>
              {TEXT.send}
            </Button>
            <Button variant="default" onClick={() => setOwn(undefined)}>
              {TEXT.back}
            </Button>
          </Group>
        </Stack>
      </Collapse>
      {failure !== undefined && <FailureNotice error={failure} />}
      {wait.toolCall === null && (
        <details>
          <summary>{TEXT.details}</summary>
          <JsonText value={wait.filters} label={TEXT.filters} />
        </details>
      )}
    </Stack>
  );
}
