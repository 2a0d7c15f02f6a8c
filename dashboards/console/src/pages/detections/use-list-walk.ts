import { useNavigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { keepFor } from '../../parts/list/kept-state.ts';
import type { LeftAt } from '../../parts/list/list-position.ts';
import { lastList } from './last-list.ts';
import { DETECTIONS_TEXT } from './text.ts';
import { useDetectionList } from './use-detection-list.ts';

/** Position of a detection in the list from which it was opened, and its neighbours. */
export interface ListWalk {
  /** From 1. Undefined if the detection is not in the list. */
  readonly position: number | undefined;
  readonly loaded: number;
  readonly hasMore: boolean;
  readonly next: () => void;
  readonly previous: () => void;
  readonly back: () => void;
}

/**
 * Navigates from one detection to the next one of the list. Going back to the list activates the last shown detection.
 */
export function useListWalk(id: string): ListWalk {
  const [from] = useState(lastList);
  const navigate = useNavigate();
  const router = useRouter();
  const { list, rows } = useDetectionList(from?.filters ?? {}, from?.view ?? {}, from?.openedAt ?? 0, {
    still: true,
    enabled: from !== undefined,
  });
  const index = rows.findIndex((row) => row.id === id);

  function open(next: string, at: number): void {
    const leftAt: LeftAt = { rowId: next, index: at, scrollTop: 0 };
    keepFor(from?.entry, DETECTIONS_TEXT.list, leftAt);
    // Replaces the history entry, so that the list stays one step back.
    void navigate({ to: '/detections/$id', params: { id: next }, replace: true });
  }

  async function next(): Promise<void> {
    const following = rows[index + 1] ?? (list.hasNextPage ? await firstOfNextPage() : undefined);
    if (index >= 0 && following !== undefined) open(following.id, index + 1);
  }

  async function firstOfNextPage() {
    const { data } = await list.fetchNextPage();
    return data?.pages.at(-1)?.data[0];
  }

  return {
    position: index < 0 ? undefined : index + 1,
    loaded: rows.length,
    hasMore: list.hasNextPage,
    next: () => void next(),
    previous() {
      const before = rows[index - 1];
      if (before !== undefined) open(before.id, index - 1);
    },
    back() {
      if (from !== undefined && index >= 0 && router.history.canGoBack()) router.history.back();
      else void navigate({ to: '/detections' });
    },
  };
}
