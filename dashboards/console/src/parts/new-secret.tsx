import { Alert, Text } from '@mantine/core';
import { CopyText } from './copy-text.tsx';

/** An API key that was just made: this is the only time that anyone sees it. */
export function NewSecret({ secret }: { readonly secret: string }) {
  return (
    <Alert variant="outline" color="indigo" title="Your API key" role="status" my="sm">
      <Text size="sm">It is shown this once. Keep it where you keep passwords; if it is lost, make another.</Text>
      <CopyText text={secret} label="API key" />
    </Alert>
  );
}
