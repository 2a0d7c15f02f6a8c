import { Tooltip } from '@mantine/core';
import { agoText, exactText, momentText } from './time-words.ts';

const TEXTS = { moment: momentText, ago: agoText, exact: exactText } as const;

/**
 * A time in the reader's own zone; all of its digits (RFC 3339) in the tooltip and for programs. `ago`: how long ago, as long as that tells one row from the next.
 * `exact`: to the millisecond, with the zone, where people compare it with what another machine noted.
 */
export function TimeText({
  at,
  ago = false,
  exact = false,
}: {
  readonly at: string;
  readonly ago?: boolean;
  readonly exact?: boolean;
}) {
  const date = new Date(at);
  const text = TEXTS[ago ? 'ago' : exact ? 'exact' : 'moment'];
  return (
    <Tooltip label={at} events={{ hover: true, focus: true, touch: true }}>
      <time dateTime={at}>{Number.isNaN(date.getTime()) ? at : text(date)}</time>
    </Tooltip>
  );
}
