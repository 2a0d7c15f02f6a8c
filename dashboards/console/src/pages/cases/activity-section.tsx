import { Loader, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useProfile } from '../../app/use-profile.ts';
import { actorName } from '../../parts/actor-name.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { isRecord } from '../../parts/run-form/json.ts';
import { Section } from '../../parts/section.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { CommentForm } from '../hand-off/comment-form.tsx';
import { CommentItem } from '../hand-off/comment-item.tsx';
import { ExecutionLink } from '../hand-off/execution-list.tsx';
import { addComment } from '../hand-off/queries.ts';
import { HAND_OFF_TEXT } from '../hand-off/text.ts';
import { happeningTexts } from './happening-text.ts';
import { type Happening, timelineQuery } from './queries.ts';
import { CASES_TEXT } from './text.ts';

const TEXT = CASES_TEXT.activity;

/** The timeline of a case with its comments, and a form for a new one. */
export function ActivitySection({ id }: { readonly id: string }) {
  const subject = { kind: 'cases', id } as const;
  const { id: userId } = useProfile();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(timelineQuery(id));
  const changed = () => queries.invalidateQueries({ queryKey: timelineQuery(id).queryKey });
  return (
    <Section title={TEXT.title}>
      <Stack gap="sm">
        {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Loader size="sm" aria-label={TEXT.loading} />}
        {data?.complete === false && (
          <Text size="sm" c="dimmed">
            {TEXT.oldest}
          </Text>
        )}
        <Stack component="ol" gap={8} className="tl-plain-list" aria-label={TEXT.list}>
          {data?.data.map((happening, index) => {
            const comment = commentOf(happening);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: entries are only added at the end
              <li key={index}>
                {comment === undefined ? (
                  <Entry of={happening} />
                ) : (
                  <CommentItem
                    comment={{ ...comment, own: happening.actor === `user:${userId}` }}
                    subject={subject}
                    onChanged={changed}
                  />
                )}
              </li>
            );
          })}
        </Stack>
        <CommentForm
          action={HAND_OFF_TEXT.thread.submit}
          onSave={async (text) => {
            await addComment(subject, text);
            await changed();
          }}
        />
      </Stack>
    </Section>
  );
}

/** One entry as a line: user, action and time. */
function Entry({ of }: { readonly of: Happening }) {
  const { at, actor, username, kind, data } = of;
  const name = actor === 'system' ? TEXT.system : actorName(actor, username);
  const execution = kind === 'execution_linked' && isRecord(data.execution) ? data.execution : undefined;
  return (
    <Text size="sm" c="dimmed">
      <strong>{name}</strong> {happeningTexts(of).join(', ')} · <TimeText at={at} ago />
      {execution !== undefined && (
        <>
          {' '}
          <ExecutionLink
            of={{
              executionId: String(execution.executionId),
              kind: execution.kind === 'agent' ? 'agent' : 'workflow',
              name: execution.name === null ? null : String(execution.name),
            }}
          />
        </>
      )}
    </Text>
  );
}

function commentOf({ at, actor, username, kind, data }: Happening) {
  if (kind !== 'comment' || !isRecord(data.comment)) return undefined;
  const { id, text, edited } = data.comment;
  return {
    id: String(id),
    createdAt: at,
    actor,
    username,
    text: text === null ? null : String(text),
    edited: edited === true,
  };
}
