import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { NewSecret } from '../../parts/new-secret.tsx';

export function RegisteredNotice({ apiKey, signedIn }: { readonly apiKey: string; readonly signedIn: boolean }) {
  return (
    <>
      <Text size="sm">
        {signedIn ? 'You are signed in.' : 'Sign in with your address and password.'} Programs use the key below.
      </Text>
      <NewSecret secret={apiKey} />
      <Button component={Link} to={signedIn ? '/first-steps' : '/sign-in'} fullWidth>
        {signedIn ? 'I have kept the key: go on' : 'I have kept the key: sign in'}
      </Button>
    </>
  );
}
