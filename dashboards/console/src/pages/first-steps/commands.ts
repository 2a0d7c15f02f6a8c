import { testEvent } from './test-event.ts';

/** Stands in commands for the key, which nobody can show again. */
export const KEY_PLACE = 'tl_….…';

/** Commands to copy, for a server at this address. Keys go by the environment: arguments are seen by everyone on the machine. */
export function commandsFor(server: string) {
  const environment = `export TRAPLINE_URL=${server} TRAPLINE_API_KEY=${KEY_PLACE}`;
  return {
    key: environment,
    event: [
      `curl ${server}/api/events -H "x-api-key: $TRAPLINE_API_KEY" -H 'content-type: application/json' \\`,
      `  -d '${eventOfNow()}'`,
    ].join('\n'),
    detector: `sudo --preserve-env=TRAPLINE_API_KEY npx trapline detect --from /dev/kmsg --to ${server} --configure`,
    fromFile: `npx trapline detect --from crash.log --boot-time 2026-03-01T00:00:00Z --to ${server}`,
    workflow: 'npx trapline workflows push examples/workflows',
  };
}

/** The test event on one line; its time is put in by the shell when the line is run. */
function eventOfNow(): string {
  return JSON.stringify({ ...testEvent(new Date(0)), timestamp: `'"$(date -u +%FT%TZ)"'` }).replaceAll('\\"', '"');
}
