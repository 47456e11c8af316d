// Folders, temporary files, variables, and values that the runtime orders at random.
package main

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"time"
)

func main() {
	entries, _ := os.ReadDir("/files")
	size, ages := int64(0), time.Duration(0)
	for _, entry := range entries {
		info, _ := entry.Info()
		size = size*3 + info.Size()
		ages += time.Since(info.ModTime())
	}
	key := make([]byte, 16)
	rand.Read(key)
	text, _ := json.Marshal(map[string]any{"size": size, "ages": ages, "key": key, "env": os.Environ()})
	back := map[string]any{}
	json.Unmarshal(text, &back)
	names := []string{}
	for name := range back {
		names = append(names, name)
	}
	first := names[0]
	sort.Strings(names)
	select {
	case <-time.After(20 * time.Millisecond):
	case <-time.After(20 * time.Millisecond):
		fmt.Println("the second")
	}
	fmt.Println(len(text), first, names, os.Args[1:])
}
