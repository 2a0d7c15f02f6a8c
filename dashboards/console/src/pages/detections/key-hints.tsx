import { Text } from '@mantine/core';
import { Fragment } from 'react';
import { DETECTIONS_TEXT } from './text.ts';

/** The most important shortcuts of the list, in one line. */
export function KeyHints() {
  return (
    <Text size="sm" c="dimmed" visibleFrom="sm">
      {DETECTIONS_TEXT.keyHints.map(({ keys, action }, index) => (
        <Fragment key={action}>
          {index > 0 && ', '}
          {keys.map((key) => (
            <Fragment key={key}>
              <kbd>{key}</kbd>{' '}
            </Fragment>
          ))}
          {action}
        </Fragment>
      ))}
    </Text>
  );
}
