// Maps, whose hashes have a random seed and whose order is random, goroutines and time.
package main

import (
	"fmt"
	"math/rand"
	"sync"
	"time"
)

func main() {
	counts := map[string]int{}
	for i := 0; i < 3000; i++ {
		counts[fmt.Sprint("word", i*7919%500)] += i
	}
	sum := 0
	for word, count := range counts {
		sum = sum*31 + len(word)*count
	}
	var group sync.WaitGroup
	results := make([]int, 4)
	for i := range results {
		group.Add(1)
		go func() {
			defer group.Done()
			time.Sleep(time.Duration(i) * time.Millisecond)
			results[i] = rand.Intn(1000)
		}()
	}
	group.Wait()
	fmt.Println(sum, results, time.Now().UnixNano())
}
