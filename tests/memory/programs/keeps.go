// Keeps blocks, and makes garbage.
package main

type block [100]byte

var kept []*block
var seen byte

//go:noinline
func keep(count int) {
	for i := 0; i < count; i++ {
		kept = append(kept, new(block))
	}
}

//go:noinline
func spoil(count int) {
	for i := 0; i < count; i++ {
		garbage := make([]byte, 64+i%2)
		seen += garbage[i%64]
	}
}

func main() {
	keep(1000)
	spoil(500)
	if seen != 0 {
		panic("memory is not zero")
	}
}
