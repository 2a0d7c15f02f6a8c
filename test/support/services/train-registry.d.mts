export function trainRegistry(jar: string, archive: string): Promise<void>;
