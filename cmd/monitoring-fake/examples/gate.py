"""A test in Python, on plain HTTP: one check fails, and a gate notices it.

    monitoring-fake -addr 127.0.0.1:8080 -speed 100 >fake.env & sleep 1; . ./fake.env
    python3 gate.py
"""
import json
import os
import urllib.error
import urllib.request

BASE = os.environ["MONITORING_BASE_URL"]


def call(method, path, body=None, status=None):
    request = urllib.request.Request(BASE + path, method=method, data=json.dumps(body).encode() if body is not None else None)
    request.add_header("Authorization", "Bearer " + os.environ["MONITORING_API_KEY"])
    request.add_header("Content-Type", "application/json")
    if status:
        request.add_header("X-Fake-Status", str(status))
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, json.loads(response.read() or b"null")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


# The fake: a check that fails, and an operation that the API does not have.
call("POST", "/_fake/seed", {"checks": [{"name": "Python shop", "tags": ["python"]}]})
check = next(c for c in call("GET", "/v1/checks?tag=python")[1])
call("POST", f"/_fake/checks/{check['id']}/runs", {"outcome": "FAILED", "runTime": "10m", "error": "Expected 500 to equal 200"})
call("POST", "/_fake/handle", {"operation": "GET /v1/python", "items": [1, 2, 3]})

# The program under test: it starts the checks, and asks until they have ended.
status, started = call("POST", "/v2/check-sessions/trigger", {"target": {"matchTags": [["python"]]}})
assert status == 201, started
session = started["sessions"][0]["checkSessionId"]
assert call("GET", f"/v2/check-sessions/{session}")[1]["status"] in ("STARTED", "PROGRESS")
call("POST", "/_fake/advance", {"by": "10m"})  # nobody waits for ten minutes
status, session = call("GET", f"/v2/check-sessions/{session}/completion")
assert (status, session["status"]) == (200, "FAILED"), session

assert call("GET", "/v1/python?limit=2&page=2")[1] == [3]
assert call("GET", "/v1/locations", status=503)[0] == 503
refused = [one for one in call("GET", "/_fake/unexpected")[1] if one["path"] != "/v1/locations"]
assert refused == [], refused
print("python: the check failed, as it should")
