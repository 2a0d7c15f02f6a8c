import { Anchor, List } from '@mantine/core';
import type { Detection } from './detection-types.ts';
import { DETECTION_TEXT } from './text.ts';

const SITE = 'https://attack.mitre.org';

/** ATT&CK techniques, with links to their descriptions. */
export function AttackList({ attack }: { readonly attack: Detection['attack'] }) {
  return (
    <List size="sm" listStyleType="none">
      {attack.map(({ tactic, technique, name }) => (
        <List.Item key={`${tactic} ${technique}`}>
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
        </List.Item>
      ))}
    </List>
  );
}
