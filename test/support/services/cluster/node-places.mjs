// Addresses in libchdb.so of @chdb/lib-linux-x64-gnu 26.7.3-stable.1 (ClickHouse 26.7.2.1), as in the file.
// `clickhouse-node.mjs` refuses any other build. deploy/engines/clickhouse-library.mjs has the id of the build and the
// addresses that the embedded engine needs.
export const NODE_PLACES = {
  // Two calls that clickhouse-local makes on the thread that started it.
  /** In LocalServer::processConfig, after the creation of the global context. */
  setApplicationType: { site: 0xf1004b6n, target: 0x1418a0c0n },
  /** In LocalServer::startServers, once for each HTTP listener. */
  createHandlerFactory: { site: 0xf117ff6n, target: 0x18395cc0n },

  // Functions.
  operatorNew: 0xeeebe00n,
  /** getDatabaseReplicatedCreateTablesThreadPool() */
  createTablesPool: 0xf1ce5c0n,
  /** getBackupsIOThreadPool() */
  backupsPool: 0xf1cd980n,
  /** StaticThreadPool::initialize(max threads, max free, queue) */
  initializePool: 0xf1cd280n,
  ddlWorker: { construct: 0x14243400n, startup: 0x14245300n, bytes: 0x2f0n },

  // Variables.
  serverUuid: 0x228a3a48n,
  databaseCatalog: 0x228abe00n,

  // Members of objects.
  localServer: { context: 0x40 },
  context: { shared: 0 },
  shared: {
    interserverHost: 0x150n,
    interserverPort: 0x168n,
    interserverScheme: 0x170n,
    interserverCredentials: 0x1b0n,
    ddlWorker: 0xd80n,
  },
  catalog: { replicatedDdlEnabled: 0x910 },
};
