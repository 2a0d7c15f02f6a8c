import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useTimeZone } from '../parts/time/time-zone.ts';
import { nonce } from './nonce.ts';
import { NotificationHost } from './notification-host.tsx';
import { queries } from './queries.ts';
import { router } from './router.ts';
import { cssVariables, theme } from './theme.ts';

export function App() {
  const zone = useTimeZone();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <NotificationHost />
      <QueryClientProvider client={queries}>
        {/* The key renders everything again in the new time zone. */}
        <RouterProvider key={zone} router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
