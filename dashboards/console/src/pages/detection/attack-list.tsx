import { Anchor, List } from '@mantine/core';
import { ValueActions } from '../../parts/values/value-actions.tsx';
import type { ValueSubject } from '../../parts/values/value-subject.ts';
import type { Detection } from './detection-types.ts';
import { DETECTION_TEXT } from './text.ts';

const SITE = 'https://attack.mitre.org';

/** ATT&CK techniques, with links to their descriptions. */
export function AttackList({
  attack,
  subject,
}: {
  readonly attack: Detection['attack'];
  readonly subject: ValueSubject;
}) {
  return (
    <List size="sm" listStyleType="none">
      {attack.map(({ tactic, technique, name }) => (
        <List.Item key={`${tactic} ${technique}`}>
          <ValueActions name="technique" by="term" value={technique} list="/detections" subject={subject}>
            <Anchor
              size="sm"
              underline="always"
              href={`${SITE}/techniques/${encodeURIComponent(technique).replace('.', '/')}/`}
              target="_blank"
              rel="noopener noreferrer"
            >
              {technique}
            </Anchor>{' '}
            {DETECTION_TEXT.attack(name, tactic)}
          </ValueActions>
        </List.Item>
      ))}
    </List>
  );
}
