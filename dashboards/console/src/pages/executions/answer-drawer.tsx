import { Button, Collapse, Drawer, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { type Body, call } from '../../api/client.ts';
import { useProfile } from '../../app/use-profile.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { JsonText } from '../../parts/json-text.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { answerTo, eventId, isAnswerable } from './answer.ts';
import type { Wait } from './queries.ts';

/** What an execution waits for, and the answer to it: approve, refuse, or an event of one's own. */
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
      title={wait?.workflow.title ?? wait?.workflow.name}
      closeButtonProps={{ 'aria-label': 'Close' }}
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
  const decide = (approved: boolean) => answerTo(wait, { approved, by: username, ...(note === '' ? {} : { note }) });
  const { complete } = decide(true);
  const answerable = isAnswerable(wait);

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
      await send(JSON.parse(own ?? '') as object, 'The event is sent');
    } catch (error) {
      setFailure(error);
    }
  }

  return (
    <Stack gap="sm">
      {wait.workflow.summary !== null && <Text size="sm">{wait.workflow.summary}</Text>}
      <Text size="sm">
        Waits since <TimeText at={wait.since} />.{' '}
        <PageLink to="/executions/$id" params={{ id: wait.executionId }} underline="always">
          Look at the execution
        </PageLink>
      </Text>
      {wait.input !== undefined && <JsonText value={JSON.stringify(wait.input, null, 2)} label="input" />}
      {!answerable && <Text>It goes on by itself, when the service tells what it waits for.</Text>}
      {answerable && complete && own === undefined && (
        <>
          <Textarea
            label="Note"
            description="Goes with the decision"
            autosize
            minRows={2}
            maxLength={4000}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          <Group>
            <Button loading={busy} onClick={() => void send(decide(true).event, 'Approved: the execution goes on')}>
              Approve
            </Button>
            <Button
              color="red"
              loading={busy}
              onClick={() => void send(decide(false).event, 'Refused: the execution is told')}
            >
              Refuse
            </Button>
          </Group>
        </>
      )}
      {answerable && !complete && own === undefined && (
        <Text>What it waits for can not be told by approving or refusing: write the event.</Text>
      )}
      {answerable && own === undefined && (
        <Group>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => setOwn(JSON.stringify(decide(true).event, null, 2))}
          >
            Write the event
          </Button>
        </Group>
      )}
      <Collapse expanded={own !== undefined}>
        <Stack gap="sm">
          <Textarea
            label="Event"
            description="A CloudEvent, JSON; its id is added"
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
              Send
            </Button>
            <Button variant="default" onClick={() => setOwn(undefined)}>
              Back
            </Button>
          </Group>
        </Stack>
      </Collapse>
      {failure !== undefined && <FailureNotice error={failure} />}
      <details>
        <summary>What it waits for, exactly</summary>
        <JsonText value={wait.filters} label="filters" />
      </details>
    </Stack>
  );
}
