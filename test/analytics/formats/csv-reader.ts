/** A strict RFC 4180 reader that is independent of the writer it checks. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let at = 0;
  while (at < text.length) {
    if (text[at] === '"') {
      at++;
      for (;;) {
        if (at >= text.length) throw new Error('a quoted cell does not end');
        if (text[at] === '"') {
          if (text[at + 1] !== '"') break;
          at++;
        }
        cell += text[at++];
      }
      at++;
    } else {
      while (at < text.length && text[at] !== ',' && text[at] !== '\r') {
        if (text[at] === '"' || text[at] === '\n')
          throw new Error(`bare ${JSON.stringify(text[at])} in an unquoted cell`);
        cell += text[at++];
      }
    }
    row.push(cell);
    cell = '';
    if (text[at] === ',') {
      at++;
      if (at === text.length) row.push('');
    } else if (text.startsWith('\r\n', at)) {
      rows.push(row);
      row = [];
      at += 2;
      if (text.startsWith(',', at)) continue;
    } else {
      throw new Error(`neither a comma nor CRLF after a cell, but ${JSON.stringify(text.slice(at, at + 5))}`);
    }
  }
  return rows;
}
