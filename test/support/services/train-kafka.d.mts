export const CLUSTER_ID: string;
export function trainKafka(jars: string, archive: string): Promise<void>;
