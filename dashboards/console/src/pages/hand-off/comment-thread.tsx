import { Button, Loader, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Section } from '../../parts/section.tsx';
import { CommentForm } from './comment-form.tsx';
import { CommentItem } from './comment-item.tsx';
import { addComment, commentsList } from './queries.ts';
import type { Subject } from './subject.ts';
import { HAND_OFF_TEXT } from './text.ts';

const TEXT = HAND_OFF_TEXT.thread;

/** The comments on a detection, oldest first, and a form for a new one. */
export function CommentThread({ subject }: { readonly subject: Subject }) {
  const queries = useQueryClient();
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    commentsList(subject),
  );
  const changed = () => queries.invalidateQueries({ queryKey: commentsList(subject).queryKey });
  const comments = data?.pages.flatMap((page) => page.data);
  return (
    <Section title={TEXT.title}>
      <Stack gap="sm">
        {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
        {comments === undefined && error === null && <Loader size="sm" aria-label={TEXT.loading} />}
        {comments?.length === 0 && (
          <Text size="sm" c="dimmed">
            {TEXT.empty}
          </Text>
        )}
        {comments !== undefined && comments.length > 0 && (
          <Stack component="ul" gap="sm" className="tl-plain-list" aria-label={TEXT.list}>
            {comments.map((comment) => (
              <li key={comment.id}>
                <CommentItem
                  comment={{ ...comment, edited: comment.editedAt !== null }}
                  subject={subject}
                  onChanged={changed}
                />
              </li>
            ))}
          </Stack>
        )}
        {hasNextPage && (
          <Button size="compact-sm" variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {TEXT.more}
          </Button>
        )}
        <CommentForm
          action={TEXT.submit}
          onSave={async (text) => {
            await addComment(subject, text);
            await changed();
          }}
        />
      </Stack>
    </Section>
  );
}
