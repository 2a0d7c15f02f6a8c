# Supports the variables of the image postgres that cluster.yaml and the tests set.
set -eu
if [ "$(id -u)" = 0 ]; then exec setpriv --reuid=postgres --regid=postgres --init-groups sh "$0"; fi
user=${POSTGRES_USER:-postgres}
database=${POSTGRES_DB:-$user}
if [ -z "${POSTGRES_PASSWORD_FILE:-}" ]; then
  POSTGRES_PASSWORD_FILE=/tmp/password
  (umask 077 && printf '%s' "$POSTGRES_PASSWORD" > "$POSTGRES_PASSWORD_FILE")
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # shellcheck disable=SC2086
  initdb --pgdata="$PGDATA" --encoding=UTF8 --username="$user" --pwfile="$POSTGRES_PASSWORD_FILE" --auth-host=scram-sha-256 --auth-local=trust ${POSTGRES_INITDB_ARGS:-}
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  pg_ctl --pgdata="$PGDATA" --options="-c listen_addresses='' -k /tmp" --wait start
  if [ "$database" != postgres ]; then createdb --host=/tmp --username="$user" "$database"; fi
  pg_ctl --pgdata="$PGDATA" --mode=fast --wait stop
fi
exec postgres -D "$PGDATA" -c listen_addresses='*' -k /tmp
