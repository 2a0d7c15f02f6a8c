/** Types of `install-programs.mjs`, which is plain JavaScript because it runs before the pinned Node is installed. */
export function findProgram(name: string, path?: string): string | undefined;
export function browserProgram(path?: string): string | undefined;
