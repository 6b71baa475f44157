// A test in Node, on plain HTTP: one check fails, and a gate notices it.
//
//   monitoring-fake -addr 127.0.0.1:8080 -speed 100 >fake.env & sleep 1; . ./fake.env
//   node gate.mjs
import assert from "node:assert/strict";

async function call(method, path, body, headers) {
  const response = await fetch(process.env.MONITORING_BASE_URL + path, {
    method,
    body: body && JSON.stringify(body),
    headers: { authorization: `Bearer ${process.env.MONITORING_API_KEY}`, "content-type": "application/json", ...headers },
  });
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : null };
}

// The fake: a check that fails, and an operation that the API does not have.
await call("POST", "/_fake/seed", { checks: [{ name: "Node shop", tags: ["node"] }] });
const [check] = (await call("GET", "/v1/checks?tag=node")).body;
await call("POST", `/_fake/checks/${check.id}/runs`, { outcome: "FAILED", runTime: "10m", error: "Expected 500 to equal 200" });
await call("POST", "/_fake/handle", { operation: "GET /v1/node", body: { answer: 42 } });

// The program under test: it starts the checks, and asks until they have ended.
const started = await call("POST", "/v2/check-sessions/trigger", { target: { matchTags: [["node"]] } });
assert.equal(started.status, 201);
const id = started.body.sessions[0].checkSessionId;
await call("POST", "/_fake/advance", { by: "10m" }); // nobody waits for ten minutes
const ended = await call("GET", `/v2/check-sessions/${id}/completion`);
assert.deepEqual([ended.status, ended.body.status], [200, "FAILED"]);

assert.deepEqual((await call("GET", "/v1/node")).body, { answer: 42 });
assert.equal((await call("GET", "/v1/locations", undefined, { "x-fake-status": "503" })).status, 503);
console.log("node: the check failed, as it should");
