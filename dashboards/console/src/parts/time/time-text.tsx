import { Tooltip } from '@mantine/core';
import { useRef, useState } from 'react';
import { PARTS_TEXT } from '../text.ts';
import { agoText, columnText, exactText, minuteText, momentText } from './time-words.ts';
import { useTimeZone } from './time-zone.ts';

/**
 * A time in the selected zone. The tooltip contains its age and the exact time (RFC 3339), which is also
 * machine-readable. `ago`: for narrow columns. `short`: without seconds, for lists with one line per row. `exact`: with
 * milliseconds and the zone, for comparison with logs of other machines.
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
  // A list has a hundred times, so each tooltip is created when the pointer enters. It is added next to the element,
  // which stays mounted and keeps the pointer.
  const element = useRef<HTMLTimeElement>(null);
  const [pointer, setPointer] = useState<'never' | 'over' | 'left'>('never');
  return (
    <>
      <time
        ref={element}
        dateTime={at}
        onPointerEnter={() => setPointer('over')}
        // Lifting a finger also leaves the element. On touch devices, the tooltip stays until the next tap.
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
