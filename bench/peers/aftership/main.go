// AfterShip/email-verifier as its users run it: Verify() per address, as many at once as told, SMTP and catch-all
// checks on. Reads one JSON object from standard input, writes one to standard output. Names and hosts are the
// simulated world's: the benchmark runs this where /etc/resolv.conf names it and its hosts answer on port 25.
package main

import (
	"encoding/json"
	"errors"
	"os"
	"sync"
	"syscall"
	"time"

	emailverifier "github.com/AfterShip/email-verifier"
)

type order struct {
	Concurrency int      `json:"concurrency"`
	Emails      []string `json:"emails"`
}

type report struct {
	Seconds    float64  `json:"seconds"`
	CPUSeconds float64  `json:"cpuSeconds"`
	Answers    []string `json:"answers"`
	Said       []string `json:"said"`
}

func main() {
	var in order
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		panic(err)
	}
	verifier := emailverifier.NewVerifier().
		EnableSMTPCheck().
		EnableCatchAllCheck().
		DisableDomainSuggest().
		HelloName("bench.example").
		FromEmail("bench@bench.example").
		ConnectTimeout(30 * time.Second).
		OperationTimeout(60 * time.Second)
	out := report{Answers: make([]string, len(in.Emails)), Said: make([]string, len(in.Emails))}
	next := make(chan int)
	var workers sync.WaitGroup
	start := time.Now()
	for range in.Concurrency {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for i := range next {
				result, err := verifier.Verify(in.Emails[i])
				out.Answers[i] = answer(result, err)
				out.Said[i] = words(result, err)
			}
		}()
	}
	for i := range in.Emails {
		next <- i
	}
	close(next)
	workers.Wait()
	out.Seconds = time.Since(start).Seconds()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err == nil {
		out.CPUSeconds = seconds(usage.Utime) + seconds(usage.Stime)
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		panic(err)
	}
}

func answer(result *emailverifier.Result, err error) string {
	switch {
	case err != nil || result.SMTP == nil:
		return "lost"
	case result.SMTP.CatchAll:
		return "catch_all"
	case result.SMTP.Deliverable:
		return "yes"
	default:
		return "no"
	}
}

// Its own words: the verdict, and the error where there is one.
func words(result *emailverifier.Result, err error) string {
	said := "reachable: " + result.Reachable
	var lookup *emailverifier.LookupError
	switch {
	case errors.As(err, &lookup):
		return said + ", error: " + lookup.Message
	case err != nil:
		return said + ", error"
	case result.SMTP != nil && result.SMTP.Disabled:
		return said + ", disabled"
	case result.SMTP != nil && result.SMTP.FullInbox:
		return said + ", full_inbox"
	default:
		return said
	}
}

func seconds(t syscall.Timeval) float64 {
	return float64(t.Sec) + float64(t.Usec)/1e6
}
