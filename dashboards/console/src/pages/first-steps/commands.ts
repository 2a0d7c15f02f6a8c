import { testEvent } from './test-event.ts';

/** Placeholder of the key in commands, because the server cannot show a key again. */
export const KEY_PLACE = 'tl_….…';

/**
 * Returns commands to copy, for a server at this URL. Keys are passed in the environment, because all users of a
 * machine can see arguments.
 */
export function commandsFor(server: string, command = ownCommand()) {
  const environment = `export TRAPLINE_URL=${server} TRAPLINE_API_KEY=${KEY_PLACE}`;
  return {
    key: environment,
    event: [
      `curl ${server}/api/events -H "x-api-key: $TRAPLINE_API_KEY" -H 'content-type: application/json' \\`,
      `  -d '${eventOfNow()}'`,
    ].join('\n'),
    detector: `sudo --preserve-env=TRAPLINE_API_KEY ${command} detect --from /dev/kmsg --to ${server} --configure`,
    fromFile: `${command} detect --from crash.log --boot-time 2026-03-01T00:00:00Z --to ${server}`,
    workflow: `${command} workflows push examples/workflows`,
  };
}

/** The test event on one line; the shell inserts the current time. */
function eventOfNow(): string {
  return JSON.stringify({ ...testEvent(new Date(0)), timestamp: `'"$(date -u +%FT%TZ)"'` }).replaceAll('\\"', '"');
}

/** Returns the start of the commands, which the server writes into the page. */
function ownCommand(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="trapline-command"]')?.content ?? 'trapline';
}
