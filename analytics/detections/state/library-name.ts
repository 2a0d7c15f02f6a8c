const DOT = 46;
const SPACE = 32;

/** `libc.so`, `libc.so.6` or `libc.so (deleted)`; asked of each trap, and so without a regular expression. */
export function isLibrary(file: string): boolean {
  for (let at = file.indexOf('.so'); at !== -1; at = file.indexOf('.so', at + 3)) {
    const next = file.charCodeAt(at + 3);
    if (Number.isNaN(next) || next === DOT || next === SPACE) return true;
  }
  return false;
}

/** ` (deleted)` is the kernel's remark that the file was replaced on disk. */
export function withoutDeleted(file: string): string {
  return file.endsWith(' (deleted)') ? file.slice(0, -10) : file;
}
