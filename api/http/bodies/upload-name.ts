const MAX_CHARACTERS = 255;

/**
 * Returns the client's name of a file without folders and control characters, or an empty text. No file is ever opened
 * by this name.
 */
export function uploadName(filename: string): string {
  const [name = ''] = filename.normalize('NFC').split(/[\\/]/).slice(-1);
  return name
    .replace(/\p{Cc}/gu, '')
    .toWellFormed()
    .slice(0, MAX_CHARACTERS)
    .toWellFormed();
}
