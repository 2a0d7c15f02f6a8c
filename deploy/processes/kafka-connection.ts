import { readFile } from 'node:fs/promises';
import type { KafkaConnection } from '#ingest/kafka/client.ts';
import { requireCorrectedKafkaClient } from '#ingest/kafka/corrected-client.ts';
import type { Config } from '../config.ts';

/**
 * Returns the connection to Kafka, with PEM files read. Rejects with the name of a file that cannot be read, or if the
 * client lacks its corrections.
 */
export async function kafkaConnection(kafka: NonNullable<Config['kafka']>): Promise<KafkaConnection> {
  requireCorrectedKafkaClient();
  const { brokers, sasl, tls } = kafka;
  const pem = (file: string | undefined) => (file === undefined ? undefined : readFile(file, 'utf8'));
  if (tls === undefined) return { brokers, sasl };
  const [ca, cert, key] = await Promise.all([pem(tls.caFile), pem(tls.certFile), pem(tls.keyFile)]);
  return { brokers, sasl, tls: { ca, cert, key, servername: tls.serverName } };
}
