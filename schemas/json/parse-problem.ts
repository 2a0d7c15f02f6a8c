/**
 * Returns where and why JSON.parse failed. Omits the excerpt of the text that V8 quotes in its message, because
 * messages must not contain values of a record.
 */
export function parseProblem(error: unknown, text: string): string {
  if (text.trim() === '') return 'there is nothing but white space';
  const message = error instanceof Error ? error.message : '';
  if (message.includes('end of JSON input') || message.includes('Unterminated string'))
    return 'the text ends too early';
  const position = /at position (\d+)/.exec(message)?.[1];
  return position === undefined ? 'an unexpected character' : `an unexpected character at position ${position}`;
}
