/**
 * Returns the data of each event of a complete event stream (server-sent events in the HTML standard). Ignores comments
 * and other fields.
 */
export function readEvents(text: string): readonly string[] {
  return text
    .split(/\r\n\r\n|\n\n|\r\r/)
    .map((event) =>
      event
        .split(/\r\n|\n|\r/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice('data:'.length).replace(/^ /, ''))
        .join('\n'),
    )
    .filter((data) => data !== '');
}
