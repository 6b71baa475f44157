package main

import (
	"cmp"
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// origin says for which code the gate runs, as far as GitHub Actions or GitLab CI say it.
type origin struct {
	Commit, Branch, Job, JobLink string

	repo, owner, message, environment string
	github                            *monitoring.TestSessionGitHub
}

// readOrigin reads the variables of the CI system. Its texts are as they are there.
func readOrigin(getenv func(string) string) origin {
	if getenv(envActions) == "true" {
		server, repository, run := getenv("GITHUB_SERVER_URL"), getenv("GITHUB_REPOSITORY"), getenv("GITHUB_RUN_ID")
		o := origin{
			Commit: getenv("GITHUB_SHA"), Branch: cmp.Or(getenv("GITHUB_HEAD_REF"), getenv("GITHUB_REF_NAME")),
			Job: joined(" / ", getenv("GITHUB_WORKFLOW"), getenv("GITHUB_JOB")), owner: getenv("GITHUB_ACTOR"),
			github: &monitoring.TestSessionGitHub{
				Repository: repository, SHA: getenv("GITHUB_SHA"), RunID: run, RunAttempt: getenv("GITHUB_RUN_ATTEMPT"), Workflow: getenv("GITHUB_WORKFLOW"),
				Job: getenv("GITHUB_JOB"), EventName: getenv("GITHUB_EVENT_NAME"), Ref: getenv("GITHUB_REF"), HeadRef: getenv("GITHUB_HEAD_REF"),
				BaseRef: getenv("GITHUB_BASE_REF"), ServerURL: server,
			},
		}
		if server != "" && repository != "" {
			o.repo = server + "/" + repository
			if run != "" {
				o.JobLink = o.repo + "/actions/runs/" + run
			}
		}
		return o
	}
	return origin{
		Commit: getenv("CI_COMMIT_SHA"), Branch: getenv("CI_COMMIT_REF_NAME"), Job: joined(" / ", getenv("CI_PIPELINE_NAME"), getenv("CI_JOB_NAME")),
		JobLink: getenv("CI_JOB_URL"), repo: getenv("CI_PROJECT_URL"), owner: getenv("GITLAB_USER_LOGIN"), message: getenv("CI_COMMIT_TITLE"),
		environment: getenv("CI_ENVIRONMENT_NAME"),
	}
}

// joined joins the texts that are not empty.
func joined(between string, texts ...string) string {
	var list []string
	for _, text := range texts {
		if text != "" {
			list = append(list, text)
		}
	}
	return strings.Join(list, between)
}

// shown is what the page says about the origin.
func (o origin) shown(c *cleaner) origin {
	return origin{Commit: shorten(c.word(o.Commit), 41), Branch: c.name(o.Branch), Job: c.name(o.Job), JobLink: c.link(o.JobLink)}
}
