package monitoringtest

import (
	"strconv"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// AlertChannel says how alerts are sent when runs of checks fail or recover; see
// [Service.AddAlertChannel]. The zero value is a channel that sends mail.
type AlertChannel struct {
	// ID is generated if it is 0. It must not be negative.
	ID int64
	// Type is EMAIL if it is empty.
	Type monitoring.AlertChannelType
	// Config is the configuration: address of EMAIL, url of SLACK, url, name, method,
	// headers and queryParameters of WEBHOOK, number and name of SMS, and so on. It is the
	// alertConfig of notifications.
	Config map[string]any
	// NoFailures sends nothing when runs fail, and NoRecoveries nothing when they recover.
	NoFailures, NoRecoveries bool
	// Degraded sends alerts also when runs become degraded and recover from that.
	Degraded bool
	// SendTime is how long sending takes; notifications are IN_PROGRESS until then. The
	// default is 0: they are sent at once.
	SendTime time.Duration
	// Status is how sending ends; SUCCESS if it is empty.
	Status monitoring.AlertNotificationStatus
	// Response is the notificationResult, such as the body of a webhook's response; null
	// if it is empty.
	Response string
}

// AddAlertChannel adds an alert channel and returns its id. Checks that are added or
// created later are subscribed to it; checks that exist already are not. It panics for a
// second channel with the same id, and for a negative id or SendTime.
func (s *Service) AddAlertChannel(c AlertChannel) int64 {
	s.world.Lock()
	defer s.world.Unlock()
	return must(s.world.AddAlertChannel(world.AlertChannel(c)))
}

// RemoveAlertChannel removes an alert channel with all subscriptions to it, as if another program
// had deleted it, and reports whether there was one. [Service.Executed] does not count it.
func (s *Service) RemoveAlertChannel(id int64) bool {
	s.world.Lock()
	defer s.world.Unlock()
	return s.world.RemoveChannel(strconv.FormatInt(id, 10))
}

// AddAlertNotification adds an alert notification and returns its id. An empty id is replaced by a
// generated one, and an empty status is SUCCESS. A missing timestamp is replaced by the present
// time, unless the status is IN_PROGRESS: such a notification has none. It panics for a second
// notification with the same id.
func (s *Service) AddAlertNotification(n monitoring.AlertNotification) string {
	s.world.Lock()
	defer s.world.Unlock()
	return must(s.world.AddAlert(n))
}

// AddAlertNotifications adds alert notifications, as [Service.AddAlertNotification] does.
func (s *Service) AddAlertNotifications(notifications ...monitoring.AlertNotification) {
	s.world.Lock()
	defer s.world.Unlock()
	for _, n := range notifications {
		must(s.world.AddAlert(n))
	}
}

// AddCheckAlert adds an alert of a check and returns its id. An empty id is replaced by a generated
// one, a missing CreatedAt by the present time, and an empty AlertType by ALERT_FAILURE.
// It panics for a second alert with the same id.
func (s *Service) AddCheckAlert(a monitoring.CheckAlert) string {
	s.world.Lock()
	defer s.world.Unlock()
	return must(s.world.AddCheckAlert(world.ObjectOf(a)))
}
