import { Tooltip } from '@mantine/core';
import { agoText, exactText, momentText } from './time-words.ts';

const TEXTS = { moment: momentText, ago: agoText, exact: exactText } as const;

/**
 * A time in the time zone of the user, with all digits (RFC 3339) in the tooltip and for programs. `ago`: relative while that distinguishes rows.
 * `exact`: with milliseconds and the zone, to compare it with logs of other machines.
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
