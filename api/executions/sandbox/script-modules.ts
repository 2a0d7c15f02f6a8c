/** Modules of Node that a script may import, reduced to standard input and the process. */
const SOURCES: Readonly<Record<string, string>> = {
  fs: `const { stdin } = process;
export function readFileSync(file) {
  if (file === stdin.fd || file === '/dev/stdin') return stdin.read() ?? '';
  throw new Error('a script reads no files but its standard input (process.stdin.fd)');
}
export default { readFileSync };`,
  process: `export default process;
export const { argv, env, stdin } = process;`,
};

/** Returns the source of a module, by its name with or without `node:`, or the error of the import. */
export function scriptModule(name: string): string | { readonly error: Error } {
  const plain = name.replace(/^node:/, '');
  const source = Object.hasOwn(SOURCES, plain) ? SOURCES[plain] : undefined;
  return source ?? { error: new Error(`a script imports only ${Object.keys(SOURCES).join(' and ')}, not ${name}`) };
}

/** True for code with an `import` declaration: a module instead of a script. */
export const isModule = (code: string): boolean => /^[ \t]*import[ \t]*[\w{*'"]/m.test(code);
