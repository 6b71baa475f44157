package world

import (
	monitoring "github.com/monitoring-api/monitoring-go"
)

// Runtimes are the runtimes of the service.
var Runtimes = []monitoring.Runtime{
	runtimeOf(monitoring.Runtime202604, "22.11.0", "CURRENT"), runtimeOf(monitoring.Runtime202504, "22.11.0", "STABLE"),
	runtimeOf(monitoring.Runtime202409, "20.17.0", "STABLE"), runtimeOf(monitoring.Runtime202402, "18.19.0", "STABLE"),
	runtimeOf(monitoring.Runtime202309, "18.17.0", "DEPRECATED"), runtimeOf(monitoring.Runtime202302, "18.12.0", "DEPRECATED"),
	runtimeOf(monitoring.Runtime202210, "16.17.0", "REMOVED"),
}

func runtimeOf(name monitoring.RuntimeID, node, stage string) monitoring.Runtime {
	return monitoring.Runtime{Name: name, MultiStepSupport: stage != "REMOVED", NodeJSVersion: node, Stage: stage,
		Dependencies: map[string]string{"@playwright/test": "1.40.1", "axios": "1.6.2"}}
}
