import { Alert, Text } from '@mantine/core';
import { CopyText } from './copy-text.tsx';
import { PARTS_TEXT } from './text.ts';

const TEXT = PARTS_TEXT.secret;

/** A new API key. It is shown only once. */
export function NewSecret({ secret }: { readonly secret: string }) {
  return (
    <Alert variant="outline" color="indigo" title={TEXT.title} role="status" my="sm">
      <Text size="sm">{TEXT.hint}</Text>
      <CopyText text={secret} label={TEXT.label} />
    </Alert>
  );
}
