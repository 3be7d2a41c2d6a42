#!/bin/sh
# Talk to a rules service without its protos: server reflection tells buf what there is.
# sh reflection.sh [ADDRESS] (buf on PATH, or BUF=path)
set -eu
service="http://${1:-127.0.0.1:50051}/turntable.rules.v1.RulesService"
call() {
  "${BUF:-buf}" curl --protocol grpc --http2-prior-knowledge --data "$2" "$service/$1"
}

call ListEditions '{"pageSize": 1}'
call ValidateMove '{
  "ruleset": {"edition": "usa", "playerCount": 2},
  "position": {"notation": "not a position"},
  "move": {"text": "draw_deck"}
}' || echo "refused, as it should be"
