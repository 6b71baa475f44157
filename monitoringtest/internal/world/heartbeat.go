package world

// completeHeartbeat gives the heartbeat of a check what the service makes: a token, unless it has
// one, and the address to ping. An update without the token of before gets another one, because
// nobody states that the service keeps it.
func (w *World) completeHeartbeat(check Object) {
	var h Object
	if !check.Get("heartbeat", &h) {
		return
	}
	if !h.Has("pingToken") {
		h.Set("pingToken", w.ids.text("ping"))
	}
	if !h.Has("pingUrl") {
		h.Set("pingUrl", "https://ping.monitoring.test/"+h.Text("pingToken"))
	}
	check.Set("heartbeat", h)
}

// withholdHeartbeat withholds the token of a heartbeat, and the address to ping, which shows it.
func withholdHeartbeat(check Object) {
	var h Object
	if check.Get("heartbeat", &h) {
		h["pingToken"] = Raw("null")
		delete(h, "pingUrl")
		check.Set("heartbeat", h)
	}
}
