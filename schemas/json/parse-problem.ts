/**
 * Where and why JSON.parse gave up, without the piece of the text that the engine's own message quotes: what a record holds
 * does not belong into messages.
 */
export function parseProblem(error: unknown, text: string): string {
  if (text.trim() === '') return 'there is nothing but white space';
  const message = error instanceof Error ? error.message : '';
  if (message.includes('end of JSON input') || message.includes('Unterminated string'))
    return 'the text ends too early';
  const position = /at position (\d+)/.exec(message)?.[1];
  return position === undefined ? 'an unexpected character' : `an unexpected character at position ${position}`;
}
