// Reads compose files as compose itself does, with its own code: checked against its schema, variables put in, files laid over each other,
// references followed. Prints the project that comes out as JSON.
//
//	compose-check [-no-env] docker-compose.yml [docker-compose.tls.yml …]
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
)

func main() {
	options, err := cli.NewProjectOptions(os.Args[1:], cli.WithOsEnv, cli.WithResolvedPaths(true), cli.WithConsistency(true))
	exitOn(err)
	project, err := options.LoadProject(context.Background())
	exitOn(err)
	// An env_file would be read here; there is none.
	out, err := json.MarshalIndent(project, "", "  ")
	exitOn(err)
	fmt.Println(string(out))
}

func exitOn(err error) {
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
