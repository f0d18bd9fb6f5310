#!/bin/sh
# Makes the secrets that compose.yaml names, in the folder `secrets` beside this file. Those that are there stay as they are.
set -eu
cd "$(dirname "$0")"
mkdir -p secrets
# The folder is closed to others. Its files are not: in a container they are read by an account with another number.
chmod 700 secrets
cd secrets
umask 022
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
make() {
  [ -s "$1" ] && return
  printf '%s\n' "$2" > "$1.draft"
  mv "$1.draft" "$1"
}
make secret "$(random)"
make metrics-token "$(random)"
# With a letter and a digit, whatever is drawn.
make admin-password "a1$(random)"
make database-password "$(random)"
make database-url "postgres://rowhouse:$(cat database-password)@database/rowhouse"
make s3-user "rowhouse:$(random)"
make s3-url "http://$(cat s3-user)@store:8333/rowhouse?region=us-east-1"
key=$(cat s3-user)
make s3.json "{\"identities\":[{\"name\":\"rowhouse\",\"credentials\":[{\"accessKey\":\"${key%%:*}\",\"secretKey\":\"${key#*:}\"}],\"actions\":[\"Admin\",\"Read\",\"Write\",\"List\",\"Tagging\"]}]}"
