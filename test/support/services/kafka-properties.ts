/** Ports of one broker. The secured listeners exist when all three of their ports are set. */
export interface KafkaPorts {
  readonly plain: number;
  readonly controller: number;
  /** The advertised port of the plain listener, for a relay in front of it. */
  readonly advertisedPlain?: number;
  readonly saslPlain?: number;
  readonly ssl?: number;
  readonly saslSsl?: number;
}

/** The only account of the secured listeners, for PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512. */
export const KAFKA_USER = { username: 'trapline', password: 'correct-horse' } as const;

const PLAIN_MODULE = 'org.apache.kafka.common.security.plain.PlainLoginModule';
const SCRAM_MODULE = 'org.apache.kafka.common.security.scram.ScramLoginModule';

function saslOf(listener: string): string[] {
  const { username, password } = KAFKA_USER;
  const prefix = `listener.name.${listener}`;
  return [
    `${prefix}.sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512`,
    `${prefix}.plain.sasl.jaas.config=${PLAIN_MODULE} required user_${username}="${password}";`,
    `${prefix}.scram-sha-256.sasl.jaas.config=${SCRAM_MODULE} required;`,
    `${prefix}.scram-sha-512.sasl.jaas.config=${SCRAM_MODULE} required;`,
  ];
}

/**
 * Returns server.properties of a single KRaft node on loopback.
 * @param keystore PEM file with the key and certificate of the server, required for secured ports
 * @param bind address to listen on: 0.0.0.0 inside a container
 */
export function kafkaProperties(ports: KafkaPorts, dataDir: string, keystore?: string, bind = '127.0.0.1'): string {
  const listeners: [name: string, protocol: string, port: number][] = [['PLAINTEXT', 'PLAINTEXT', ports.plain]];
  if (ports.saslPlain !== undefined) listeners.push(['SASL_PLAINTEXT', 'SASL_PLAINTEXT', ports.saslPlain]);
  if (ports.ssl !== undefined) listeners.push(['SSL', 'SSL', ports.ssl]);
  if (ports.saslSsl !== undefined) listeners.push(['SASL_SSL', 'SASL_SSL', ports.saslSsl]);
  const urls = (host: string, plain = ports.plain): string =>
    listeners.map(([name, , port]) => `${name}://${host}:${name === 'PLAINTEXT' ? plain : port}`).join(',');
  const protocols = listeners.map(([name, protocol]) => `${name}:${protocol}`).join(',');
  return `${[
    'process.roles=broker,controller',
    'node.id=1',
    `controller.quorum.voters=1@127.0.0.1:${ports.controller}`,
    `listeners=${urls(bind)},CONTROLLER://127.0.0.1:${ports.controller}`,
    `advertised.listeners=${urls('127.0.0.1', ports.advertisedPlain)}`,
    'controller.listener.names=CONTROLLER',
    'inter.broker.listener.name=PLAINTEXT',
    `listener.security.protocol.map=${protocols},CONTROLLER:PLAINTEXT`,
    `log.dirs=${dataDir}`,
    // A single node cannot have the three replicas that internal topics have by default.
    'offsets.topic.replication.factor=1',
    'offsets.topic.num.partitions=4',
    'transaction.state.log.replication.factor=1',
    'transaction.state.log.min.isr=1',
    'transaction.state.log.num.partitions=4',
    'share.coordinator.state.topic.replication.factor=1',
    'share.coordinator.state.topic.min.isr=1',
    'default.replication.factor=1',
    'min.insync.replicas=1',
    'auto.create.topics.enable=false',
    'num.network.threads=2',
    'num.io.threads=4',
    'log.cleaner.dedupe.buffer.size=8388608',
    // With the default, every first join of a group waits 3 s for other members.
    'group.initial.rebalance.delay.ms=0',
    // The default of 6 s is also the shortest session timeout that a consumer may request.
    'group.min.session.timeout.ms=1000',
    // After SIGKILL a restart waits until the registration of the dead process expires: 4 s with these values, 13 s
    // with the defaults.
    'broker.session.timeout.ms=1000',
    'broker.heartbeat.interval.ms=200',
    ...(ports.saslPlain === undefined ? [] : saslOf('sasl_plaintext')),
    ...(ports.saslSsl === undefined ? [] : saslOf('sasl_ssl')),
    ...(keystore === undefined
      ? []
      : [
          'ssl.keystore.type=PEM',
          `ssl.keystore.location=${keystore}`,
          'ssl.endpoint.identification.algorithm=',
          // The keystore ends with the authority. A client may send no certificate, but no unknown one.
          'ssl.truststore.type=PEM',
          `ssl.truststore.location=${keystore}`,
          'listener.name.ssl.ssl.client.auth=requested',
        ]),
  ].join('\n')}\n`;
}
