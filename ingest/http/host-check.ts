import { reject } from '#schemas/events/reject.ts';
import { MAX_LISTED_REJECTIONS } from '#schemas/rejection-codes.ts';
import { decodeRecord } from '../pipeline/decode.ts';
import type { RejectedRecord } from '../pipeline/record.ts';
import type { Submission, SubmitEvents } from './submission.ts';

/**
 * Rejects events of other hosts, and events without a host, if the submission is restricted to one host. Other events
 * go to `submit`. A rejected event does not become a dead letter, because a redrive would bypass the restriction of the
 * key.
 */
export function createHostCheck(submit: SubmitEvents): SubmitEvents {
  return async (submission) => {
    const { hostname } = submission;
    if (hostname === undefined) return submit(submission);
    const { own, refused } = separate(submission.items, hostname);
    if (own.length === 0 && refused.length > 0)
      return { accepted: 0, rejected: refused.slice(0, MAX_LISTED_REJECTIONS), rejectedTotal: refused.length };
    const answer = await submit({ ...submission, items: own });
    if (typeof answer === 'string' || refused.length === 0) return answer;
    const rejected = [...answer.rejected, ...refused].sort((a, b) => a.index - b.index);
    return {
      accepted: answer.accepted,
      rejected: rejected.slice(0, MAX_LISTED_REJECTIONS),
      rejectedTotal: answer.rejectedTotal + refused.length,
    };
  };
}

function separate(items: Submission['items'], hostname: string) {
  const own: Submission['items'][number][] = [];
  const refused: RejectedRecord[] = [];
  for (const item of items) {
    const found = hostOf(item.text);
    if (found === undefined || found === hostname) {
      own.push(item);
      continue;
    }
    const { code, path, message } = reject('other_host', '$.hostname', `${hostname} is expected`);
    refused.push({ index: item.index, code, path, message });
  }
  return { own, refused };
}

/**
 * Returns the value of `hostname` as the pipeline reads it, or null if absent. Returns undefined for text that is not
 * readable as an event.
 */
function hostOf(text: Buffer): unknown {
  const decoded = decodeRecord(text, { maxBytes: Number.POSITIVE_INFINITY });
  if (!decoded.ok) return undefined;
  try {
    const event: unknown = JSON.parse(decoded.payload.toString('utf8'));
    return typeof event === 'object' && event !== null
      ? ((event as { hostname?: unknown }).hostname ?? null)
      : undefined;
  } catch {
    return undefined;
  }
}
