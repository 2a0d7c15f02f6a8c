const MAX_CHARACTERS = 255;

/** What the sender called a file, without folders and control characters; empty when there is no name. No file is ever opened by it. */
export function uploadName(filename: string): string {
  const [name = ''] = filename.normalize('NFC').split(/[\\/]/).slice(-1);
  return name
    .replace(/\p{Cc}/gu, '')
    .toWellFormed()
    .slice(0, MAX_CHARACTERS)
    .toWellFormed();
}
