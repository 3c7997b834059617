#!/bin/sh
# Make what docker-compose.yml expects beside itself: the secrets, once, and the folder of the backups.
# Run it as root in the folder of docker-compose.yml: sudo sh deploy/prepare.sh. Run again, it changes nothing that is there.
set -eu

user_of_the_image=10001

# Only root may open the folder; a container sees the files that it is given, whoever its user is.
mkdir -p secrets
chmod 700 secrets

random() { od -An -N40 -tx1 /dev/urandom | tr -d ' \n'; }

# What an .env of an earlier release holds is taken over: the database keeps its password, sessions and links stay good.
from_env() { [ ! -f .env ] || sed -n "s/^$1=//p" .env | tail -n 1 | tr -d "\r\"'"; }

write() {
  if [ ! -e "secrets/$1" ]; then
    printf '%s' "$2" > "secrets/$1.new"
    chmod 444 "secrets/$1.new"
    mv "secrets/$1.new" "secrets/$1"
    echo "secrets/$1: $3"
  fi
}

# A random secret, unless .env holds one; an empty one stays empty, and what it is for is off.
secret() {
  found=$(from_env "$2")
  if [ -n "$found" ]; then write "$1" "$found" "taken over from .env; remove it there"; else write "$1" "$(random)" "made"; fi
}
optional() { write "$1" "$(from_env "$2")" "$3"; }

secret secret_key SECRET_KEY
secret postgres_password POSTGRES_PASSWORD
secret metrics_token METRICS_TOKEN
optional secret_key_fallbacks SECRET_KEY_FALLBACKS "earlier keys, parted by commas"
optional email_password EMAIL_HOST_PASSWORD "empty unless the mail server asks for one"
optional sentry_dsn SENTRY_DSN "empty, which leaves Sentry off"

mkdir -p backups/work
chmod 700 backups
if [ "$(id -u)" = 0 ]; then
  chown "$user_of_the_image" backups backups/work
else
  echo "Not root: give the folder backups to user $user_of_the_image yourself."
fi
