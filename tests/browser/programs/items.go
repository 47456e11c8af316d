// Decodes JSON, sorts and hashes it: a program of Go that allocates and collects garbage.
package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
)

type item struct {
	Name  string   `json:"name"`
	Tags  []string `json:"tags"`
	Price float64  `json:"price"`
}

func encode(count int) string {
	var text strings.Builder
	for i := 0; i < count; i++ {
		separator := ","
		if i == 0 {
			separator = "["
		}
		fmt.Fprintf(&text, `%s{"name":"item %d","tags":["a%d","b%d"],"price":%d.%d}`, separator, i, i%7, i%11, i%1000, i%100)
	}
	return text.String() + "]"
}

func main() {
	text := encode(40000)
	total, tags := 0.0, map[string]int{}
	for round := 0; round < 3; round++ {
		var items []item
		if err := json.Unmarshal([]byte(text), &items); err != nil {
			panic(err)
		}
		for _, one := range items {
			total += one.Price
			for _, tag := range one.Tags {
				tags[tag]++
			}
		}
		sort.Slice(items, func(a, b int) bool { return items[a].Price < items[b].Price })
	}
	fmt.Printf("%g %d %x\n", total, len(tags), sha256.Sum256([]byte(text)))
}
