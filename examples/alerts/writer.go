package main

import (
	"encoding/csv"
	"encoding/json"
	"strconv"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
)

// row is the printed part of a notification. It leaves out AlertConfig, which has addresses
// and keys of the channel.
type row struct {
	ID                 string                             `json:"id"`
	Timestamp          *monitoring.Timestamp              `json:"timestamp"`
	Type               monitoring.AlertChannelType        `json:"type"`
	Status             monitoring.AlertNotificationStatus `json:"status"`
	AlertChannelID     int64                              `json:"alertChannelId"`
	CheckType          monitoring.CheckType               `json:"checkType"`
	CheckID            string                             `json:"checkId"`
	CheckAlertID       string                             `json:"checkAlertId"`
	CheckResultID      string                             `json:"checkResultId"`
	NotificationResult *string                            `json:"notificationResult"`
}

func newRow(n monitoring.AlertNotification) row {
	return row{
		n.ID, n.Timestamp, n.Type, n.Status, n.AlertChannelID,
		n.CheckType, n.CheckID, n.CheckAlertID, n.CheckResultID, n.NotificationResult,
	}
}

func (r row) time() string {
	if r.Timestamp == nil {
		return ""
	}
	return r.Timestamp.UTC().Format(time.RFC3339)
}

func (r row) result() string {
	if r.NotificationResult == nil {
		return ""
	}
	return *r.NotificationResult
}

// writer writes rows in some format.
type writer interface {
	write(row) error
	flush() error
}

func newWriter(format string, w *cli.Screen) writer {
	switch format {
	case "csv":
		return &csvWriter{out: csv.NewWriter(w)}
	case "jsonl":
		return jsonWriter{json.NewEncoder(w)}
	}
	return &tableWriter{out: w}
}

// tableWriter keeps the rows until the widths of the columns are known.
type tableWriter struct {
	out  *cli.Screen
	rows [][]string
}

func (w *tableWriter) write(r row) error {
	const most = 40 // columns: a response may be long
	at := r.time()
	if at == "" {
		at = "-" // it is being sent
	}
	w.rows = append(w.rows, []string{
		at, string(r.Type), strconv.FormatInt(r.AlertChannelID, 10), string(r.Status), string(r.CheckType), r.CheckID,
		cli.Truncate(cli.Clean(r.result()), most),
	})
	return nil
}

func (w *tableWriter) flush() error {
	if len(w.rows) == 0 {
		return nil
	}
	w.out.Table([]cli.Column{
		{Title: "TIME"}, {Title: "SENT BY"}, {Title: "CHANNEL", Right: true}, {Title: "STATUS", Status: true},
		{Title: "CHECK TYPE", Min: 7}, {Title: "CHECK"}, {Title: "RESPONSE", Min: 12},
	}, w.rows)
	return nil
}

type csvWriter struct {
	out   *csv.Writer
	begun bool
}

func (w *csvWriter) header() {
	if !w.begun {
		w.out.Write([]string{"id", "timestamp", "type", "status", "alertChannelId", "checkType", "checkId", "checkAlertId",
			"checkResultId", "notificationResult"})
		w.begun = true
	}
}

func (w *csvWriter) write(r row) error {
	w.header()
	return w.out.Write([]string{
		r.ID, r.time(), string(r.Type), string(r.Status), strconv.FormatInt(r.AlertChannelID, 10),
		string(r.CheckType), r.CheckID, r.CheckAlertID, r.CheckResultID, r.result(),
	})
}

func (w *csvWriter) flush() error {
	w.header()
	w.out.Flush()
	return w.out.Error()
}

type jsonWriter struct{ *json.Encoder }

func (w jsonWriter) write(r row) error { return w.Encode(r) }

func (w jsonWriter) flush() error { return nil }
