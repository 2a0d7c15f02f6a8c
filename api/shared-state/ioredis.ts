import './keep-strings-fast.ts';

export { Cluster, Redis, type RedisOptions, ReplyError } from 'ioredis';
