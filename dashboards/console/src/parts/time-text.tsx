import { Tooltip } from '@mantine/core';
import { useRef, useState } from 'react';
import { PARTS_TEXT } from './text.ts';
import { agoText, columnText, exactText, minuteText, momentText } from './time-words.ts';
import { useTimeZone } from './time-zone.ts';

/**
 * A time in the zone that the user chose. How long ago that is and all digits (RFC 3339) stand in the tooltip, and the digits for programs. `ago`: for
 * narrow columns. `short`: without seconds, for lists of one line a row. `exact`: with milliseconds and the zone, to compare it with logs of other machines.
 */
export function TimeText({
  at,
  ago = false,
  exact = false,
  short = false,
}: {
  readonly at: string;
  readonly ago?: boolean;
  readonly exact?: boolean;
  readonly short?: boolean;
}) {
  useTimeZone();
  const date = new Date(at);
  const known = !Number.isNaN(date.getTime());
  const text = exact ? exactText : short ? minuteText : ago ? columnText : momentText;
  // A list has a hundred times: each tooltip is made when the pointer comes to it, next to the element, which keeps its place in the page and the pointer.
  const element = useRef<HTMLTimeElement>(null);
  const [pointer, setPointer] = useState<'never' | 'over' | 'left'>('never');
  return (
    <>
      <time
        ref={element}
        dateTime={at}
        onPointerEnter={() => setPointer('over')}
        // A finger that is lifted leaves too; its tooltip stays until the next tap.
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setPointer('left')}
      >
        {known ? text(date) : at}
      </time>
      {pointer === 'never' ? null : (
        <Tooltip
          target={element}
          defaultOpened={pointer === 'over'}
          label={known ? PARTS_TEXT.time.tooltip(agoText(date), at) : at}
          events={{ hover: true, focus: false, touch: true }}
        />
      )}
    </>
  );
}
