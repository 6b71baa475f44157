package monitoringtest

import (
	"strconv"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// AlertChannel is how alerts are sent when runs fail or recover; see [Service.AddAlertChannel]. The
// zero value sends mail.
type AlertChannel struct {
	// ID is generated if it is 0. It must not be negative.
	ID int64
	// Type is EMAIL by default.
	Type monitoring.AlertChannelType
	// Config is the configuration: address of EMAIL; url of SLACK; url, name, method, headers and
	// queryParameters of WEBHOOK; number and name of SMS; and so on. Notifications have it as
	// alertConfig.
	Config map[string]any
	// NoFailures sends nothing when runs fail, and NoRecoveries nothing when they recover.
	NoFailures, NoRecoveries bool
	// Degraded also sends alerts when runs become degraded and recover from that.
	Degraded bool
	// SendTime is how long sending takes; notifications are IN_PROGRESS until then.
	SendTime time.Duration
	// Status is how sending ends; SUCCESS by default.
	Status monitoring.AlertNotificationStatus
	// Response is the notificationResult, such as the body of a webhook's response; null by
	// default.
	Response string
}

// AddAlertChannel adds an alert channel and returns its id. Checks that are added or created later
// are subscribed to it.
func (s *Service) AddAlertChannel(c AlertChannel) int64 {
	s.world.Lock()
	defer s.world.Unlock()
	return must(s.world.AddAlertChannel(world.AlertChannel(c)))
}

// RemoveAlertChannel removes an alert channel and all subscriptions to it, as another program
// would, and reports whether it existed. Like all methods that remove, it does not count in
// [Service.Executed].
func (s *Service) RemoveAlertChannel(id int64) bool {
	s.world.Lock()
	defer s.world.Unlock()
	return s.world.RemoveChannel(strconv.FormatInt(id, 10))
}

// AddAlertNotification adds an alert notification and returns its id, which is generated if empty.
// The status defaults to SUCCESS, and the timestamp to the present time, or to none if the status
// is IN_PROGRESS.
func (s *Service) AddAlertNotification(n monitoring.AlertNotification) string {
	s.world.Lock()
	defer s.world.Unlock()
	return must(s.world.AddAlert(n))
}

// AddAlertNotifications adds several alert notifications; see [Service.AddAlertNotification].
func (s *Service) AddAlertNotifications(notifications ...monitoring.AlertNotification) {
	s.world.Lock()
	defer s.world.Unlock()
	for _, n := range notifications {
		must(s.world.AddAlert(n))
	}
}

// AddCheckAlert adds an alert of a check and returns its id, which is generated if empty. CreatedAt
// defaults to the present time, and AlertType to ALERT_FAILURE.
func (s *Service) AddCheckAlert(a monitoring.CheckAlert) string {
	s.world.Lock()
	defer s.world.Unlock()
	return must(s.world.AddCheckAlert(world.ObjectOf(a)))
}
