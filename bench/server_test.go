package bench_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// serve is set in the environment of the process that is the server: the work of
// the server must not be measured as that of its clients.
const serve = "BENCH_SERVE"

func TestMain(m *testing.M) {
	if os.Getenv(serve) != "" {
		fmt.Fprintln(os.Stderr, "bench: the server ended:", server())
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// server responds to the calls of all cases until its standard input ends.
func server() error {
	mux := http.NewServeMux()
	known := make(map[string]bool)
	all := cases()
	for _, c := range all {
		if c.then != nil {
			all = append(all, *c.then)
		}
	}
	for _, c := range all {
		path, _, _ := strings.Cut(c.path, "?")
		if known[c.method+path] {
			continue // two cases make the same call
		}
		known[c.method+path] = true
		status := http.StatusOK
		if c.method == http.MethodPost {
			status = http.StatusCreated
		}
		mux.HandleFunc(c.method+" "+path, func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			w.Header().Set("Content-Length", strconv.Itoa(len(c.response)))
			w.WriteHeader(status)
			io.WriteString(w, c.response)
		})
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	fmt.Printf("http://%s\n", listener.Addr())
	return http.Serve(listener, mux)
}

// startServer starts the server in another process and returns its address.
func startServer(t testing.TB) string {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), serve+"=1")
	cmd.Stderr = os.Stderr
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal("the server printed no address:", err)
	}
	return strings.TrimSpace(address)
}
