/**
 * Splits a command into words like a shell, at spaces outside of quotes. Expands nothing. Returns undefined for an
 * unclosed quote.
 */
export function splitWords(command: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < command.length; at++) {
    const letter = command[at] ?? '';
    if (quote === undefined && /\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (quote === undefined && (letter === '"' || letter === "'")) {
      quote = letter;
      word ??= '';
    } else if (letter === quote) quote = undefined;
    else if (letter === '\\' && quote !== "'") word = `${word ?? ''}${command[++at] ?? ''}`;
    else word = `${word ?? ''}${letter}`;
  }
  if (quote !== undefined) return undefined;
  if (word !== undefined) words.push(word);
  return words;
}
