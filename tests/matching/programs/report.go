// Reads records, sorts them and prints a report of them.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"sort"
	"strings"
	"text/template"
)

type record struct {
	Name string            `json:"name"`
	Size float64           `json:"size"`
	Tags []string          `json:"tags"`
	More map[string]string `json:"more,omitempty"`
}

func main() {
	var in []record
	for i := 0; i < 60; i++ {
		in = append(in, record{fmt.Sprintf("n%03d", i*7919%100), float64(i) * 1.25, strings.Fields("a b c")[:i%4], map[string]string{"k": "v"}})
	}
	text, _ := json.Marshal(in)
	var back []record
	if err := json.Unmarshal(text, &back); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	sort.Slice(back, func(i, k int) bool { return back[i].Name < back[k].Name })
	match := regexp.MustCompile(`n0(\d)[3-7]`)
	view := template.Must(template.New("view").Parse("{{range .}}{{.Name | printf \"%6s\"}} {{len .Tags}}\n{{end}}"))
	var out bytes.Buffer
	view.Execute(&out, back)
	fmt.Println(len(text), out.Len(), len(match.FindAllString(out.String(), -1)))
}
