package main

import "strings"

// enums has the values of the named string types, by the name of the type. A test compares
// them with the constants of package monitoring.
var enums = map[string][]string{
	"Region":                  strings.Fields("us-east-1 us-east-2 us-west-1 us-west-2 ca-central-1 sa-east-1 eu-west-1 eu-central-1 eu-west-2 eu-west-3 eu-north-1 eu-south-1 me-south-1 ap-southeast-1 ap-northeast-1 ap-east-1 ap-southeast-2 ap-southeast-3 ap-northeast-2 ap-northeast-3 ap-south-1 af-south-1"),
	"RuntimeID":               strings.Fields("2026.04 2025.04 2024.09 2024.02 2023.09 2023.02 2022.10"),
	"CheckType":               strings.Fields("AGENTIC API BROWSER HEARTBEAT ICMP MULTI_STEP TCP PLAYWRIGHT TRACEROUTE URL DNS SSL GRPC"),
	"CheckState":              strings.Fields("passing failing degraded"),
	"HeartbeatUnit":           strings.Fields("seconds minutes hours days"),
	"APIBodyType":             strings.Fields("JSON FORM RAW GRAPHQL NONE"),
	"EscalationType":          strings.Fields("RUN_BASED TIME_BASED"),
	"RetryStrategyType":       strings.Fields("FIXED LINEAR EXPONENTIAL SINGLE_RETRY FALLBACK"),
	"RetryCondition":          strings.Fields("NETWORK_ERROR"),
	"IncidentSeverity":        strings.Fields("CRITICAL MAJOR MEDIUM MINOR"),
	"AssertionSource":         strings.Fields("STATUS_CODE JSON_BODY HEADERS TEXT_BODY RESPONSE_TIME RESPONSE_DATA"),
	"AssertionComparison":     strings.Fields("EQUALS NOT_EQUALS HAS_KEY NOT_HAS_KEY HAS_VALUE NOT_HAS_VALUE IS_EMPTY NOT_EMPTY GREATER_THAN LESS_THAN CONTAINS NOT_CONTAINS IS_NULL NOT_NULL"),
	"IPFamily":                strings.Fields("IPv4 IPv6"),
	"CheckSessionStatus":      strings.Fields("STARTED PROGRESS FAILED PASSED DEGRADED PROGRESS_FAILED PROGRESS_DEGRADED TIMED_OUT CANCELLED"),
	"RunSource":               strings.Fields("CLI_DEPLOY DEPLOYMENT DEPLOYMENT_CACHE_WARMER EDITOR GROUP_RUN_ALL LEGACY_TRIGGER SCHEDULER SCHEDULE_NOW SLACK_RERUN TEST_NO_RECORD TEST_RECORD TRIGGER_NO_RECORD TRIGGER_RECORD TRIGGER_API"),
	"ResultType":              strings.Fields("FINAL ATTEMPT ALL"),
	"AlertChannelType":        strings.Fields("EMAIL SLACK SLACK_APP WEBHOOK SMS PAGERDUTY OPSGENIE CALL"),
	"AlertNotificationStatus": strings.Fields("IN_PROGRESS SUCCESS FAILURE RATE_LIMITED"),
	"RepeatUnit":              strings.Fields("DAY WEEK MONTH"),
	"EntitlementType":         strings.Fields("flag metered"),
	"AddonTier":               strings.Fields("hobby starter team"),
	"RootCauseAnalysisStatus": strings.Fields("PENDING COMPLETED"),
}
