#!/bin/sh
# Creates missing secrets in ./secrets. Compose mounts each as a file. Other accounts cannot enter the folder. The files are
# world-readable, because each image runs as a different account.
set -eu
cd "$(dirname "$0")"
mkdir -p secrets
chmod 700 secrets
umask 022

random() {
  openssl rand -base64 32 | tr '+/' '-_' | tr -d '=\n'
}

secret() {
  [ -s "secrets/$1" ] || printf '%s' "$2" > "secrets/$1"
}

secret admin-key "$(random)"
secret auth-secret "$(random)"
secret jwt-secret "$(random)"
secret operator-key "operator.$(random)"
secret clickhouse-password "$(random)"
secret postgres-password "$(random)"
secret database-url "postgres://trapline:$(cat secrets/postgres-password)@postgres:5432/trapline"
secret redis-conf "requirepass $(random)"
secret redis-url "redis://:$(cut -d ' ' -f 2 secrets/redis-conf)@redis:6379"
