const PAGE_ROWS = 15;

/** Returns the row to which a key moves from row `index` of `count`. Undefined for other keys. */
export function rowAfterKey(key: string, index: number, count: number): number | undefined {
  const to = target(key, index, count);
  return to === undefined ? undefined : Math.min(Math.max(to, 0), count - 1);
}

function target(key: string, index: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return index + 1;
    case 'ArrowUp':
    case 'k':
      return index - 1;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    case 'PageDown':
      return index + PAGE_ROWS;
    case 'PageUp':
      return index - PAGE_ROWS;
    default:
      return undefined;
  }
}
