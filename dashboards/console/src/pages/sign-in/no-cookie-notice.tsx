import { Alert, Text } from '@mantine/core';

/** The password was right, and yet nobody is signed in. */
export function NoCookieNotice() {
  return (
    <Alert variant="outline" color="red" title="Your browser did not keep the session" role="alert" mb="sm">
      <Text size="sm">
        The password is right, but the cookie of the session was refused. Allow cookies for this site.
        {location.protocol === 'http:' && ' Where the server is set up for https, open it at its https address.'}
      </Text>
    </Alert>
  );
}
