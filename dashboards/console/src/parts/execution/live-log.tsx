import { Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { clockText } from '../time/time-words.ts';
import { visible } from '../visible.ts';
import type { Followed } from './follow.ts';
import { EXECUTION_TEXT } from './text.ts';

const TEXT = EXECUTION_TEXT;

/** Live log of scripts and status changes. Scrolls to new lines unless the user has scrolled up. */
export function LiveLog({ log, ended, connected }: Followed & { readonly connected: boolean }) {
  const region = useRef<HTMLPreElement>(null);
  const atEnd = useRef(true);
  useEffect(() => {
    const element = region.current;
    if (element !== null && log.length > 0 && atEnd.current) element.scrollTop = element.scrollHeight;
  }, [log.length]);
  return (
    <div>
      <pre
        ref={region}
        role="log"
        aria-label={TEXT.log}
        tabIndex={0}
        className="tl-mono"
        style={{ overflow: 'auto', maxHeight: '20rem', margin: 0, whiteSpace: 'pre-wrap' }}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          atEnd.current = scrollTop + clientHeight >= scrollHeight - 8;
        }}
      >
        {log.map(({ id, at, level, text, step }) => (
          <div key={id}>
            <Text span c="dimmed" inherit>
              <time dateTime={at} title={at}>
                {clockText(new Date(at))}
              </time>{' '}
              {(TEXT.levels[level] ?? level).padEnd(6)}
            </Text>{' '}
            {level === 'status' ? (TEXT.statuses[text] ?? text) : visible(TEXT.line(text))}
            {step !== '' && (
              <Text span c="dimmed" inherit>
                {TEXT.step(step.split('/').at(-1) ?? step)}
              </Text>
            )}
          </div>
        ))}
      </pre>
      <Text size="sm" c="dimmed" mt={4} role="status">
        {ended ? TEXT.finished : connected ? TEXT.live : TEXT.reconnecting}
      </Text>
    </div>
  );
}
