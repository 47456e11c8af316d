package main

import "fmt"

//go:noinline
func leaf(n int) int { return n*3 + 1 }

//go:noinline
func branch(n int) int {
	if n == 0 {
		return 0
	}
	return leaf(n) + branch(n-1)
}

func main() {
	sum := 0
	for i := 0; i < 10; i++ {
		sum += branch(i)
	}
	fmt.Println(sum)
}
