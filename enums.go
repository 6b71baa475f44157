package monitoring

// Every enumeration of the service is open. A value that this package does not list is kept as it
// was received, and sent as it was given.

// Region identifies a data center that runs checks.
type Region string

// The data centers of the service.
const (
	RegionUSEast1      Region = "us-east-1"
	RegionUSEast2      Region = "us-east-2"
	RegionUSWest1      Region = "us-west-1"
	RegionUSWest2      Region = "us-west-2"
	RegionCACentral1   Region = "ca-central-1"
	RegionSAEast1      Region = "sa-east-1"
	RegionEUWest1      Region = "eu-west-1"
	RegionEUCentral1   Region = "eu-central-1"
	RegionEUWest2      Region = "eu-west-2"
	RegionEUWest3      Region = "eu-west-3"
	RegionEUNorth1     Region = "eu-north-1"
	RegionEUSouth1     Region = "eu-south-1"
	RegionMESouth1     Region = "me-south-1"
	RegionAPSoutheast1 Region = "ap-southeast-1"
	RegionAPNortheast1 Region = "ap-northeast-1"
	RegionAPEast1      Region = "ap-east-1"
	RegionAPSoutheast2 Region = "ap-southeast-2"
	RegionAPSoutheast3 Region = "ap-southeast-3"
	RegionAPNortheast2 Region = "ap-northeast-2"
	RegionAPNortheast3 Region = "ap-northeast-3"
	RegionAPSouth1     Region = "ap-south-1"
	RegionAFSouth1     Region = "af-south-1"
)

// RuntimeID identifies a runtime.
type RuntimeID string

func (RuntimeID) isLooseText() {}

// The runtimes of the service.
const (
	Runtime202604 RuntimeID = "2026.04"
	Runtime202504 RuntimeID = "2025.04"
	Runtime202409 RuntimeID = "2024.09"
	Runtime202402 RuntimeID = "2024.02"
	Runtime202309 RuntimeID = "2023.09"
	Runtime202302 RuntimeID = "2023.02"
	Runtime202210 RuntimeID = "2022.10"
)

// CheckType is the kind of a check.
type CheckType string

// The kinds of checks. Check sessions have every kind but HEARTBEAT.
const (
	CheckTypeAgentic    CheckType = "AGENTIC"
	CheckTypeAPI        CheckType = "API"
	CheckTypeBrowser    CheckType = "BROWSER"
	CheckTypeHeartbeat  CheckType = "HEARTBEAT"
	CheckTypeICMP       CheckType = "ICMP"
	CheckTypeMultiStep  CheckType = "MULTI_STEP"
	CheckTypeTCP        CheckType = "TCP"
	CheckTypePlaywright CheckType = "PLAYWRIGHT"
	CheckTypeTraceroute CheckType = "TRACEROUTE"
	CheckTypeURL        CheckType = "URL"
	CheckTypeDNS        CheckType = "DNS"
	CheckTypeSSL        CheckType = "SSL"
	CheckTypeGRPC       CheckType = "GRPC"
)

// CheckState is the outcome of a check's last runs; see [CheckListOptions].
type CheckState string

// The states of checks.
const (
	CheckPassing  CheckState = "passing"
	CheckFailing  CheckState = "failing"
	CheckDegraded CheckState = "degraded"
)

// HeartbeatUnit is a unit of time of heartbeat checks.
type HeartbeatUnit string

// The units of heartbeats.
const (
	HeartbeatSeconds HeartbeatUnit = "seconds"
	HeartbeatMinutes HeartbeatUnit = "minutes"
	HeartbeatHours   HeartbeatUnit = "hours"
	HeartbeatDays    HeartbeatUnit = "days"
)

// APIBodyType is the form of the body that an API check sends.
type APIBodyType string

// The body types of API checks.
const (
	APIBodyJSON    APIBodyType = "JSON"
	APIBodyForm    APIBodyType = "FORM"
	APIBodyRaw     APIBodyType = "RAW"
	APIBodyGraphQL APIBodyType = "GRAPHQL"
	APIBodyNone    APIBodyType = "NONE"
)

// The frequencies of checks, in minutes; see Frequency of [Check].
const (
	FrequencySubMinute  = 0
	Frequency1Minute    = 1
	Frequency2Minutes   = 2
	Frequency5Minutes   = 5
	Frequency10Minutes  = 10
	Frequency15Minutes  = 15
	Frequency30Minutes  = 30
	Frequency60Minutes  = 60
	Frequency120Minutes = 120
	Frequency180Minutes = 180
	Frequency360Minutes = 360
	Frequency720Minutes = 720
	Frequency24Hours    = 1440
)

// EscalationType selects when a check alerts: after a number of failed runs, or after it has been
// failing for some time.
type EscalationType string

// The escalation types. The service's default is RUN_BASED.
const (
	EscalationRunBased  EscalationType = "RUN_BASED"
	EscalationTimeBased EscalationType = "TIME_BASED"
)

// RetryStrategyType is how the service spaces retries.
type RetryStrategyType string

// The retry strategies. With a base back-off of b seconds, retry n comes after b
// (FIXED), b*n (LINEAR) or b^n (EXPONENTIAL) seconds.
const (
	RetryStrategyFixed       RetryStrategyType = "FIXED"
	RetryStrategyLinear      RetryStrategyType = "LINEAR"
	RetryStrategyExponential RetryStrategyType = "EXPONENTIAL"
	// RetryStrategySingleRetry must have neither MaxRetries nor MaxDurationSeconds.
	RetryStrategySingleRetry RetryStrategyType = "SINGLE_RETRY"
	// RetryStrategyFallback is for groups only: each check uses its own strategy.
	RetryStrategyFallback RetryStrategyType = "FALLBACK"
)

// RetryCondition is a failure that a [RetryStrategy] retries.
type RetryCondition string

// RetryOnNetworkError retries a run only if no response status was received.
const RetryOnNetworkError RetryCondition = "NETWORK_ERROR"

// IncidentSeverity is the severity of an incident on a status page.
type IncidentSeverity string

// The severities of incidents.
const (
	SeverityMinor    IncidentSeverity = "MINOR"
	SeverityMedium   IncidentSeverity = "MEDIUM"
	SeverityMajor    IncidentSeverity = "MAJOR"
	SeverityCritical IncidentSeverity = "CRITICAL"
)

// AssertionSource is the part of a response that an assertion tests.
type AssertionSource string

// The sources of assertions. Each request type lists those that it accepts; [APICheckDefaults]
// accept those of API checks.
const (
	SourceStatusCode   AssertionSource = "STATUS_CODE"
	SourceJSONBody     AssertionSource = "JSON_BODY"
	SourceHeaders      AssertionSource = "HEADERS"
	SourceTextBody     AssertionSource = "TEXT_BODY"
	SourceResponseTime AssertionSource = "RESPONSE_TIME"
	SourceResponseData AssertionSource = "RESPONSE_DATA"
	SourceLatency      AssertionSource = "LATENCY"
	SourceJSONResponse AssertionSource = "JSON_RESPONSE"
	SourceTextResponse AssertionSource = "TEXT_RESPONSE"
	SourceCertificate  AssertionSource = "CERTIFICATE"
	SourceConnection   AssertionSource = "CONNECTION"
	SourceResponseCode AssertionSource = "RESPONSE_CODE"
	SourceTextAnswer   AssertionSource = "TEXT_ANSWER"
	SourceJSONAnswer   AssertionSource = "JSON_ANSWER"
)

// DNSRecordType is the type of the records that a DNS check looks up.
type DNSRecordType string

// The types of DNS records.
const (
	DNSRecordA     DNSRecordType = "A"
	DNSRecordAAAA  DNSRecordType = "AAAA"
	DNSRecordCNAME DNSRecordType = "CNAME"
	DNSRecordMX    DNSRecordType = "MX"
	DNSRecordTXT   DNSRecordType = "TXT"
	DNSRecordSOA   DNSRecordType = "SOA"
	DNSRecordNS    DNSRecordType = "NS"
	DNSRecordHTTPS DNSRecordType = "HTTPS"
)

// DNSProtocol is the transport protocol of a DNS check.
type DNSProtocol string

// The protocols of DNS. The service's default is UDP.
const (
	DNSProtocolUDP DNSProtocol = "UDP"
	DNSProtocolTCP DNSProtocol = "TCP"
)

// SSLSeverity is the consequence for an SSL check that breaks a rule.
type SSLSeverity string

// The severities: the check fails, is degraded, or the rule is ignored.
const (
	SSLSeverityFail    SSLSeverity = "fail"
	SSLSeverityDegrade SSLSeverity = "degrade"
	SSLSeverityIgnore  SSLSeverity = "ignore"
)

// TLSVersion is a version of TLS in a rule of an SSL check.
type TLSVersion string

// The versions of TLS.
const (
	TLSVersion12 TLSVersion = "TLS1.2"
	TLSVersion13 TLSVersion = "TLS1.3"
)

// SSLClientCertificateMode selects the client certificate of an SSL check.
type SSLClientCertificateMode string

// The modes: auto leaves the choice to the service, explicit names an id.
const (
	SSLClientCertificateAuto     SSLClientCertificateMode = "auto"
	SSLClientCertificateExplicit SSLClientCertificateMode = "explicit"
)

// AssertionComparison is how an assertion compares.
type AssertionComparison string

// The comparisons of assertions. TCP checks have EQUALS, NOT_EQUALS, IS_EMPTY, NOT_EMPTY,
// LESS_THAN, GREATER_THAN, CONTAINS and NOT_CONTAINS.
const (
	ComparisonEquals      AssertionComparison = "EQUALS"
	ComparisonNotEquals   AssertionComparison = "NOT_EQUALS"
	ComparisonHasKey      AssertionComparison = "HAS_KEY"
	ComparisonNotHasKey   AssertionComparison = "NOT_HAS_KEY"
	ComparisonHasValue    AssertionComparison = "HAS_VALUE"
	ComparisonNotHasValue AssertionComparison = "NOT_HAS_VALUE"
	ComparisonIsEmpty     AssertionComparison = "IS_EMPTY"
	ComparisonNotEmpty    AssertionComparison = "NOT_EMPTY"
	ComparisonGreaterThan AssertionComparison = "GREATER_THAN"
	ComparisonLessThan    AssertionComparison = "LESS_THAN"
	ComparisonContains    AssertionComparison = "CONTAINS"
	ComparisonNotContains AssertionComparison = "NOT_CONTAINS"
	ComparisonIsNull      AssertionComparison = "IS_NULL"
	ComparisonNotNull     AssertionComparison = "NOT_NULL"
)

// IPFamily is the address family with which a check connects.
type IPFamily string

// The address families. The service's default is IPv4.
const (
	IPFamilyIPv4 IPFamily = "IPv4"
	IPFamilyIPv6 IPFamily = "IPv6"
)

// CheckSessionStatus is the state of a check session.
type CheckSessionStatus string

// The states of a check session. PROGRESS_FAILED and PROGRESS_DEGRADED are not final: after a
// retry, such a session may still end as PASSED.
const (
	SessionStarted          CheckSessionStatus = "STARTED"
	SessionProgress         CheckSessionStatus = "PROGRESS"
	SessionFailed           CheckSessionStatus = "FAILED"
	SessionPassed           CheckSessionStatus = "PASSED"
	SessionDegraded         CheckSessionStatus = "DEGRADED"
	SessionProgressFailed   CheckSessionStatus = "PROGRESS_FAILED"
	SessionProgressDegraded CheckSessionStatus = "PROGRESS_DEGRADED"
	SessionTimedOut         CheckSessionStatus = "TIMED_OUT"
	SessionCancelled        CheckSessionStatus = "CANCELLED"
)

// Done reports whether the status is final: PASSED, FAILED, DEGRADED, TIMED_OUT or CANCELLED. It is
// false for unknown ones.
func (s CheckSessionStatus) Done() bool {
	switch s {
	case SessionPassed, SessionFailed, SessionDegraded, SessionTimedOut, SessionCancelled:
		return true
	}
	return false
}

func (s CheckSessionStatus) known() bool { return s.Done() || unfinished(s) }

// unfinished reports whether a status says that a session still runs. An unknown status
// counts as done: the completion should respond with a session only when it is done.
func unfinished(status CheckSessionStatus) bool {
	switch status {
	case SessionStarted, SessionProgress, SessionProgressFailed, SessionProgressDegraded:
		return true
	}
	return false
}

// TestSessionStatus is the state of a test session, or of a result in it.
type TestSessionStatus string

// The states of a test session. A session that is only degraded is PASSED; see
// [TestSession.Verdict].
const (
	TestSessionRunning   TestSessionStatus = "RUNNING"
	TestSessionFailed    TestSessionStatus = "FAILED"
	TestSessionPassed    TestSessionStatus = "PASSED"
	TestSessionCancelled TestSessionStatus = "CANCELLED"
)

// Done reports whether the status is final: PASSED, FAILED or CANCELLED. It is false for unknown
// ones.
func (s TestSessionStatus) Done() bool {
	return s == TestSessionFailed || s == TestSessionPassed || s == TestSessionCancelled
}

// TestSessionProvider is where a test session comes from.
type TestSessionProvider string

// Where test sessions come from. Those of [TestSessionsService.Trigger] are API.
const (
	TestProviderGitHub   TestSessionProvider = "GITHUB"
	TestProviderVercel   TestSessionProvider = "VERCEL"
	TestProviderAPI      TestSessionProvider = "API"
	TestProviderTrigger  TestSessionProvider = "TRIGGER"
	TestProviderReporter TestSessionProvider = "PW_REPORTER"
)

// RunSource is what started a check session.
type RunSource string

// The sources of check sessions.
const (
	RunSourceCLIDeploy             RunSource = "CLI_DEPLOY"
	RunSourceDeployment            RunSource = "DEPLOYMENT"
	RunSourceDeploymentCacheWarmer RunSource = "DEPLOYMENT_CACHE_WARMER"
	RunSourceEditor                RunSource = "EDITOR"
	RunSourceGroupRunAll           RunSource = "GROUP_RUN_ALL"
	RunSourceLegacyTrigger         RunSource = "LEGACY_TRIGGER"
	RunSourceScheduler             RunSource = "SCHEDULER"
	RunSourceScheduleNow           RunSource = "SCHEDULE_NOW"
	RunSourceSlackRerun            RunSource = "SLACK_RERUN"
	RunSourceTestNoRecord          RunSource = "TEST_NO_RECORD"
	RunSourceTestRecord            RunSource = "TEST_RECORD"
	RunSourceTriggerNoRecord       RunSource = "TRIGGER_NO_RECORD"
	RunSourceTriggerRecord         RunSource = "TRIGGER_RECORD"
	RunSourceTriggerAPI            RunSource = "TRIGGER_API"
)

// ResultType is the type of a check result.
type ResultType string

// The types of check results: the final result of a run, one of its earlier attempts, or, as a
// selection, both.
const (
	ResultFinal   ResultType = "FINAL"
	ResultAttempt ResultType = "ATTEMPT"
	ResultAll     ResultType = "ALL"
)

// TestResultType is the type of a result of a test session.
type TestResultType string

// The types of results of test sessions: the final result of a run, one of its earlier attempts, or
// one that is still to come.
const (
	TestResultFinal   TestResultType = "FINAL"
	TestResultAttempt TestResultType = "ATTEMPT"
	TestResultPending TestResultType = "PENDING"
)

// AlertChannelType is the kind of an alert channel.
type AlertChannelType string

// The kinds of alert channels.
const (
	ChannelEmail     AlertChannelType = "EMAIL"
	ChannelSlack     AlertChannelType = "SLACK"
	ChannelSlackApp  AlertChannelType = "SLACK_APP"
	ChannelWebhook   AlertChannelType = "WEBHOOK"
	ChannelSMS       AlertChannelType = "SMS"
	ChannelPagerDuty AlertChannelType = "PAGERDUTY"
	ChannelOpsgenie  AlertChannelType = "OPSGENIE"
	ChannelCall      AlertChannelType = "CALL"
)

// AlertNotificationStatus is the state of an alert notification.
type AlertNotificationStatus string

// The states of alert notifications.
const (
	NotificationInProgress  AlertNotificationStatus = "IN_PROGRESS"
	NotificationSuccess     AlertNotificationStatus = "SUCCESS"
	NotificationFailure     AlertNotificationStatus = "FAILURE"
	NotificationRateLimited AlertNotificationStatus = "RATE_LIMITED"
)

// AssetType is the kind of a file that a run produces.
type AssetType string

// The types of assets.
const (
	AssetLog        AssetType = "log"
	AssetTrace      AssetType = "trace"
	AssetVideo      AssetType = "video"
	AssetScreenshot AssetType = "screenshot"
	AssetPcap       AssetType = "pcap"
	AssetReport     AssetType = "report"
	AssetFile       AssetType = "file"
)

// ReportRange is a named period of reports.
type ReportRange string

// The periods of reports. A week begins on Monday.
const (
	ReportLast24Hours ReportRange = "last24Hrs"
	ReportLast7Days   ReportRange = "last7Days"
	ReportLast30Days  ReportRange = "last30Days"
	ReportThisWeek    ReportRange = "thisWeek"
	ReportThisMonth   ReportRange = "thisMonth"
	ReportLastWeek    ReportRange = "lastWeek"
	ReportLastMonth   ReportRange = "lastMonth"
)

// ReportGranularity divides the period of a report.
type ReportGranularity string

// The granularities of reports.
const (
	ReportDaily   ReportGranularity = "day"
	ReportWeekly  ReportGranularity = "week"
	ReportMonthly ReportGranularity = "month"
)

// RepeatUnit is a unit of [MaintenanceWindow.RepeatInterval].
type RepeatUnit string

// The units in which maintenance windows repeat.
const (
	RepeatDay   RepeatUnit = "DAY"
	RepeatWeek  RepeatUnit = "WEEK"
	RepeatMonth RepeatUnit = "MONTH"
)

// EntitlementType is flag (on or off) or metered (a quantity).
type EntitlementType string

// The types of entitlements.
const (
	EntitlementFlag    EntitlementType = "flag"
	EntitlementMetered EntitlementType = "metered"
)

// AddonTier is the tier of an add-on.
type AddonTier string

// The tiers of add-ons.
const (
	AddonTierHobby   AddonTier = "hobby"
	AddonTierStarter AddonTier = "starter"
	AddonTierTeam    AddonTier = "team"
)

// RootCauseAnalysisStatus is the state of a root cause analysis.
type RootCauseAnalysisStatus string

// The states of a root cause analysis.
const (
	RootCauseAnalysisPending   RootCauseAnalysisStatus = "PENDING"
	RootCauseAnalysisCompleted RootCauseAnalysisStatus = "COMPLETED"
)
