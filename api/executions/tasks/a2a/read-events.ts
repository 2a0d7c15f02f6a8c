/** The data of each event of an event stream that has ended (HTML, server-sent events). Comments and other fields are left out. */
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
