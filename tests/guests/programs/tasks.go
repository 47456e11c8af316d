// Whatever makes goroutines of TinyGo wait, go on and end. TinyGo's runtime does not tell who called a function,
// so each is told; at the end the program says how often who called whom, for what a profile has to be
// compared with. A panic ends the program there: TinyGo recovers from none on WebAssembly.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"
)

// A call of a function, also by a go statement.
type call struct {
	caller, callee string
	count          int
}

var calls [200]call

// Counts a call; the name of who is called is what those that it calls are told.
//
//go:noinline
func called(caller, callee string) string {
	for i := range calls {
		c := &calls[i]
		if c.count == 0 {
			*c = call{caller, callee, 0}
		}
		if c.caller == caller && c.callee == callee {
			c.count++
			return callee
		}
	}
	panic("too many places")
}

func report() {
	totals := map[string]int{}
	for _, c := range calls {
		if c.count > 0 {
			totals[c.callee] += c.count
			if c.caller != "" {
				fmt.Println("edge", c.caller, c.callee, c.count)
			}
		}
	}
	for name, n := range totals {
		fmt.Println("calls", name, n)
	}
}

// ---- Channels ----

//go:noinline
func step(by string, n int) int { called(by, "main.step"); return n + 1 }

//go:noinline
func worker(by string, in <-chan int, out chan<- int) {
	me := called(by, "main.worker")
	for n := range in {
		out <- step(me, n)
	}
	close(out)
}

//go:noinline
func relay(by string, n int, to chan<- int, from <-chan int) int {
	me := called(by, "main.relay")
	to <- step(me, n)
	return <-from
}

//go:noinline
func pingpong(by string, rounds int) (sum int) {
	me := called(by, "main.pingpong")
	to, from := make(chan int), make(chan int)
	go worker(me, to, from)
	for i := 0; i < rounds; i++ {
		sum += relay(me, i, to, from)
	}
	close(to)
	<-from
	return sum
}

// ---- Recursion ----

//go:noinline
func deep(by string, n int, ready chan bool) int {
	me := called(by, "main.deep")
	if n == 0 {
		<-ready
		return step(me, n)
	}
	return deep(me, n-1, ready) + 1
}

//go:noinline
func even(by string, n int) bool {
	me := called(by, "main.even")
	runtime.Gosched()
	return n == 0 || odd(me, n-1)
}

//go:noinline
func odd(by string, n int) bool {
	me := called(by, "main.odd")
	return n != 0 && even(me, n-1)
}

// ---- Deferred functions ----

//go:noinline
func tidy(by string) { called(by, "main.tidy"); runtime.Gosched() }

//go:noinline
func defers(by string, n int) int {
	me := called(by, "main.defers")
	defer tidy(me)
	for i := 0; i < n; i++ {
		defer tidy(me)
	}
	runtime.Gosched()
	return step(me, n)
}

//go:noinline
func exits(by string) { called(by, "main.exits"); runtime.Goexit() }

//go:noinline
func leaves(by string, done *sync.WaitGroup) {
	me := called(by, "main.leaves")
	tidy(me)
	done.Done()
	exits(me)
}

// ---- Goroutines that start goroutines ----

//go:noinline
func branch(by string, n int, done *sync.WaitGroup) {
	me := called(by, "main.branch")
	defer done.Done()
	if n == 0 {
		return
	}
	done.Add(2)
	go branch(me, n-1, done)
	runtime.Gosched()
	go branch(me, n-1, done)
}

//go:noinline
func locked(by string, lock *sync.Mutex, sum *int, done *sync.WaitGroup) {
	me := called(by, "main.locked")
	defer done.Done()
	for i := 0; i < 5; i++ {
		lock.Lock()
		*sum = step(me, *sum)
		runtime.Gosched()
		lock.Unlock()
	}
}

// One word of arguments, or none: the same for several that wait to be started at the same time.
//
//go:noinline
func one(done *sync.WaitGroup) { called("main.starts", "main.one"); runtime.Gosched(); done.Done() }

//go:noinline
func none() { called("main.starts", "main.none"); runtime.Gosched(); ones.Done() }

var ones sync.WaitGroup

//go:noinline
func starts(by string, n int) {
	me := called(by, "main.starts")
	ones.Add(2 * n)
	for i := 0; i < n; i++ {
		go one(&ones)
		go none()
	}
	ones.Wait()
	step(me, n)
}

// ---- Waiting for several, and for time ----

//go:noinline
func ticks(by string, n int, out chan<- int) {
	called(by, "main.ticks")
	for i := 0; i < n; i++ {
		time.Sleep(time.Millisecond)
		out <- i
	}
	close(out)
}

//go:noinline
func choose(by string, n int) (sum int) {
	me := called(by, "main.choose")
	a, b := make(chan int), make(chan int)
	go ticks(me, n, a)
	go ticks(me, n, b)
	for a != nil || b != nil {
		select {
		case v, ok := <-a:
			if !ok {
				a = nil
			}
			sum += step(me, v)
		case v, ok := <-b:
			if !ok {
				b = nil
			}
			sum += step(me, v)
		}
	}
	return sum
}

// ---- Interfaces, memory ----

type shape interface{ area(by string) int }
type square struct{ side int }
type box struct{ width, height int }

//go:noinline
func (s *square) area(by string) int { called(by, "(*main.square).area"); return s.side * s.side }

//go:noinline
func (b *box) area(by string) int {
	called(by, "(*main.box).area")
	runtime.Gosched()
	return b.width * b.height
}

//go:noinline
func areas(by string, shapes []shape) (sum int) {
	me := called(by, "main.areas")
	for _, s := range shapes {
		sum += s.area(me)
	}
	return sum
}

type tree struct{ left, right *tree }

//go:noinline
func grow(by string, n int) *tree {
	me := called(by, "main.grow")
	if n == 0 {
		return nil
	}
	return &tree{grow(me, n-1), grow(me, n-1)}
}

//go:noinline
func collect(by string, n int) (sum int) {
	me := called(by, "main.collect")
	for i := 0; i < n; i++ {
		if grow(me, 8).left != nil {
			sum++
		}
		runtime.GC()
	}
	return sum
}

var late func()

//go:noinline
func all() {
	me := called("", "main.all")
	fmt.Println(pingpong(me, 1000))
	ready := make(chan bool)
	late = func() { called(me, "main.all$1"); runtime.Gosched(); ready <- true }
	go late()
	fmt.Println(deep(me, 100, ready), even(me, 30), defers(me, 3))
	var done sync.WaitGroup
	var lock sync.Mutex
	sum := 0
	done.Add(1 + 1 + 4)
	go leaves(me, &done)
	go branch(me, 5, &done)
	for i := 0; i < 4; i++ {
		go locked(me, &lock, &sum, &done)
	}
	done.Wait()
	// Goroutines that are used again.
	for i := 0; i < 10; i++ {
		done.Add(1)
		go branch(me, 0, &done)
		done.Wait()
	}
	starts(me, 10)
	fmt.Println(sum, choose(me, 10), collect(me, 5))
	fmt.Println(areas(me, []shape{&square{2}, &box{2, 3}, &square{3}}))
}

// What is referred to stays a function of its own: wasm-opt knows nothing of go:noinline.
var kept = []any{step, worker, relay, pingpong, deep, even, odd, tidy, defers, exits, leaves, branch, locked, one, none,
	starts, ticks, choose, (*square).area, (*box).area, areas, grow, collect, all}

func main() {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	all()
	runtime.ReadMemStats(&after)
	fmt.Println("memory", after.TotalAlloc-before.TotalAlloc, after.Mallocs-before.Mallocs)
	report()
	if calls[0].count == 0 {
		fmt.Println(kept...)
	}
	if len(os.Args) > 1 {
		os.Exit(len(os.Args))
	}
}
