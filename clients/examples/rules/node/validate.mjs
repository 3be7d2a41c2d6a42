// Ask a rules service whether a move is legal, play one, and read the reason of a refusal.
// node validate.mjs [ADDRESS [DIRECTORY_OF_THE_PROTOS]]
import { fileURLToPath } from "node:url";

import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import protobuf from "protobufjs";

const address = process.argv[2] ?? "127.0.0.1:50051";
const protos = process.argv[3] ?? fileURLToPath(new URL("../../../../proto", import.meta.url));

const options = { includeDirs: [protos], keepCase: true, enums: String, oneofs: true };
const { turntable } = grpc.loadPackageDefinition(
  loadSync("turntable/rules/v1/rules_service.proto", options),
);
const client = new turntable.rules.v1.RulesService(address, grpc.credentials.createInsecure());

const call = (method, request) =>
  new Promise((resolve, reject) =>
    client[method](request, { deadline: Date.now() + 10_000 }, (error, answer) =>
      error ? reject(error) : resolve(answer),
    ),
  );

// A failed call carries a google.rpc.Status in its trailing metadata.
const google = protobuf.parse(`
  syntax = "proto3";
  message Any { string type_url = 1; bytes value = 2; }
  message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
  message ErrorInfo { string reason = 1; string domain = 2; map<string, string> metadata = 3; }
`).root;

function errorInfo(error) {
  const [bytes] = error.metadata?.get("grpc-status-details-bin") ?? [];
  if (!bytes) throw error;
  const { details } = google.lookupType("Status").decode(bytes);
  const info = details.find((detail) => detail.typeUrl.endsWith("google.rpc.ErrorInfo"));
  return google.lookupType("ErrorInfo").decode(info.value);
}

const ruleset = { edition: "usa", player_count: 2 };
const { outcome } = await call("NewGame", { ruleset, seed: Buffer.alloc(32) });
const here = { ruleset, position: outcome.position, seat: outcome.active_seats[0] };

const early = { text: "claim montreal_new_york 3blue" };
const { refusal } = await call("ValidateMove", { ...here, move: early });
console.log(`illegal: ${refusal.code} (${refusal.clause}): ${refusal.message}`);

try {
  await call("ApplyMove", { ...here, move: early });
} catch (error) {
  const { reason, metadata } = errorInfo(error);
  console.log(`refused: ${reason}, clause ${metadata.clause}, phase ${metadata.phase}`);
}

const { moves } = await call("ListLegalMoves", here);
const played = await call("ApplyMove", { ...here, move: { move: moves.at(-1).move } });
const events = played.outcome.events.map((event) => event.type).join(", ");
console.log(`played: ${moves.length} moves were legal; events: ${events}`);
client.close();
