// Goroutines, channels, panics and recovery, interfaces and sorting.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sort"
	"strings"
)

var errOdd = errors.New("odd")

type shape interface{ area() int }
type square struct{ side int }
type box struct{ width, height int }

func (s square) area() int { return s.side * s.side }
func (b box) area() int    { return b.width * b.height }

func produce(numbers chan<- int, count int) {
	defer close(numbers)
	for i := 0; i < count; i++ {
		numbers <- i * 7919 % 101
	}
}

func collatz(n int) int {
	if n == 1 {
		return 0
	}
	if n%2 == 0 {
		return 1 + collatz(n/2)
	}
	return 1 + collatz(3*n+1)
}

func check(n int) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("check %d: %w", n, reason.(error))
		}
	}()
	if n%2 == 1 {
		panic(errOdd)
	}
	return nil
}

func main() {
	debug.SetGCPercent(-1) // when it collects depends on the clock
	numbers, lengths := make(chan int), make(chan int, 4)
	go produce(numbers, 50)
	go func() {
		defer close(lengths)
		for n := range numbers {
			lengths <- collatz(n + 1)
		}
	}()
	var all []int
	for length := range lengths {
		all = append(all, length)
	}
	sort.Slice(all, func(i, j int) bool { return all[i] > all[j] })
	fmt.Println(all)

	total := 0
	for i, s := range []shape{square{3}, box{2, 5}, square{4}} {
		total += i * s.area()
	}
	fmt.Println(total, strings.ToUpper(check(3).Error()), errors.Is(check(5), errOdd), check(4))
	os.Exit(4)
}
