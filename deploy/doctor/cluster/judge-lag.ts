import type { PartitionOffsets } from '#ingest/kafka/admin.ts';
import { type Finding, fine, look } from '../check.ts';

/** What ingest can store in about a minute on a small machine. */
const MAX_BEHIND = 1_000_000;

/**
 * Checks the lag of the consumer group per partition, because an average would hide a partition that makes no progress.
 */
export function judgeLag(partitions: readonly PartitionOffsets[]): Finding {
  const lags = partitions.map(({ partition, low, high, committed }) => ({
    partition,
    behind: high - Math.max(committed ?? low, low),
    read: committed !== undefined || high === low,
  }));
  const worst = lags.reduce((most, lag) => (lag.behind > most.behind ? lag : most), {
    partition: 0,
    behind: 0,
    read: true,
  });
  const found = `${lags.reduce((sum, { behind }) => sum + behind, 0)} records in ${lags.length} partitions, at most ${worst.behind} in partition ${worst.partition}`;
  const unread = lags.filter(({ read }) => !read).map(({ partition }) => partition);
  if (unread.length > 0)
    return look(
      `${found}; never read: ${unread.join(', ')}`,
      'start ingest, or look why it does not get these partitions',
    );
  return worst.behind <= MAX_BEHIND ? fine(found) : look(found, 'run more ingest processes, or check their log');
}
