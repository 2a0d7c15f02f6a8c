import { Button, Group, Paper, Text } from '@mantine/core';
import { useState } from 'react';
import { may } from '../../api/session.ts';
import { useProfile } from '../../app/use-profile.ts';
import { actorName } from '../../parts/actor-name.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { CommentView } from '../../parts/markdown/markdown-view.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { CommentForm } from './comment-form.tsx';
import { type Comment, deleteComment, editComment } from './queries.ts';
import type { Subject } from './subject.ts';
import { HAND_OFF_TEXT } from './text.ts';

const TEXT = HAND_OFF_TEXT.thread;

/** One comment. Its Markdown is rendered without active links. */
export function CommentItem({
  comment,
  subject,
  onChanged,
}: {
  readonly comment: Pick<Comment, 'id' | 'createdAt' | 'actor' | 'username' | 'text' | 'own'> & {
    readonly edited: boolean;
  };
  readonly subject: Subject;
  readonly onChanged: () => Promise<unknown>;
}) {
  const { id, createdAt, actor, username, text, own, edited } = comment;
  const [editing, setEditing] = useState(false);
  const [asking, setAsking] = useState(false);
  const isAdmin = may(useProfile(), 'admin');
  const author = actorName(actor, username);
  return (
    <Paper withBorder p="xs">
      <Group gap={6} justify="space-between" mih={26}>
        <Text size="sm">
          <strong>{author}</strong> · <TimeText at={createdAt} ago />
          {edited && ` · ${TEXT.edited}`}
        </Text>
        {text !== null && !editing && (
          <Group gap={4}>
            {own && (
              <Button
                size="compact-xs"
                variant="subtle"
                onClick={() => setEditing(true)}
                aria-label={TEXT.editNamed(author)}
              >
                {TEXT.edit}
              </Button>
            )}
            {(own || isAdmin) && (
              <Button
                size="compact-xs"
                variant="subtle"
                onClick={() => setAsking(true)}
                aria-label={TEXT.deleteNamed(author)}
              >
                {TEXT.delete}
              </Button>
            )}
          </Group>
        )}
      </Group>
      {text === null ? (
        <Text size="sm" c="dimmed" fs="italic">
          {TEXT.deleted}
        </Text>
      ) : editing ? (
        <CommentForm
          initial={text}
          action={TEXT.save}
          onCancel={() => setEditing(false)}
          onSave={async (now) => {
            await editComment(subject, id, now);
            await onChanged();
            setEditing(false);
          }}
        />
      ) : (
        <CommentView markdown={text} />
      )}
      <Confirm
        opened={asking}
        title={TEXT.deleteTitle}
        action={TEXT.delete}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await deleteComment(subject, id);
          await onChanged();
        }}
      >
        {TEXT.deleteConfirm}
      </Confirm>
    </Paper>
  );
}
