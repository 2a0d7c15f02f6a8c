import { createProxyCheck } from '#api/http/limits/client-address.ts';
import type { Config } from '../config.ts';

/** Maximum number of open connections and minimum upload rate, for every server of the product. */
export function connectionOptions({ httpLimits, platform }: Config) {
  const { connections, connectionsOfAddress, uploadBytesPerSecond } = httpLimits;
  return {
    connections: {
      maxConnections: connections,
      maxOfAddress: connectionsOfAddress,
      isProxy: createProxyCheck(platform.trustedProxies),
    },
    uploadRate: { bytesPerSecond: uploadBytesPerSecond },
  };
}
