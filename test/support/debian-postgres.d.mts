/** Types of `debian-postgres.mjs`, which is plain JavaScript because it runs before the pinned Node is installed. */
export function debianPostgres(folder?: string): string | undefined;
export function withoutCluster(file?: string): void;
