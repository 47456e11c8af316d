// Whatever makes goroutines wait, restart and end. Each function counts its calls and who made them;
// at the end the program says both, for what a profile has to be compared with.
package main

import (
	"fmt"
	"iter"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"
)

// A call of a function, by the return addresses in it and in its caller.
type call struct {
	callee, caller uintptr
	count          int
}

var calls [1000]call

// Counts a call of its caller. Nothing in it can make a goroutine wait once the addresses are known.
//
//go:noinline
func count() {
	var pcs [2]uintptr
	runtime.Callers(2, pcs[:])
	for i := range calls {
		if calls[i].count == 0 {
			calls[i] = call{pcs[0], pcs[1], 0}
		}
		if calls[i].callee == pcs[0] && calls[i].caller == pcs[1] {
			calls[i].count++
			return
		}
	}
	panic("too many places")
}

func nameOf(pc uintptr) string {
	frame, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	return frame.Function
}

func report() {
	total, edges := map[string]int{}, map[string]int{}
	for _, c := range calls {
		if c.count == 0 {
			break
		}
		callee, caller := nameOf(c.callee), nameOf(c.caller)
		total[callee] += c.count
		if strings.HasPrefix(caller, "main.") {
			edges[caller+" "+callee] += c.count
		}
	}
	for name, n := range total {
		fmt.Println("calls", name, n)
	}
	for names, n := range edges {
		fmt.Println("edge", names, n)
	}
}

// ---- Channels ----

//go:noinline
func step(n int) int { count(); return n + 1 }

//go:noinline
func worker(in <-chan int, out chan<- int) {
	count()
	for n := range in {
		out <- step(n)
	}
	close(out)
}

//go:noinline
func relay(n int, to chan<- int, from <-chan int) int {
	count()
	to <- step(n)
	return <-from
}

//go:noinline
func pingpong(rounds int) (sum int) {
	count()
	to, from := make(chan int), make(chan int)
	go worker(to, from)
	for i := 0; i < rounds; i++ {
		sum += relay(i, to, from)
	}
	close(to)
	<-from
	return sum
}

// ---- Stacks that grow ----

//go:noinline
func deep(n int, ready chan bool) int {
	count()
	var room [64]int
	room[n%64] = n
	if n == 0 {
		<-ready
		return step(room[0])
	}
	return deep(n-1, ready) + room[n%64]
}

//go:noinline
func even(n int) bool {
	count()
	runtime.Gosched()
	return n == 0 || odd(n-1)
}

//go:noinline
func odd(n int) bool {
	count()
	return n != 0 && even(n-1)
}

// ---- Panics and defers ----

//go:noinline
func tidy() { count(); runtime.Gosched() }

//go:noinline
func fails(n int) {
	count()
	defer tidy()
	if n == 0 {
		runtime.Gosched()
		panic("as it should")
	}
	fails(n - 1)
}

//go:noinline
func guards(n int) (ok bool) {
	count()
	defer func() {
		count()
		ok = recover() != nil
	}()
	fails(n)
	return false
}

// A recursion in which an outer frame ends the panic of the innermost, waits and goes on.
//
//go:noinline
func nests(n, last int) (sum int) {
	count()
	if n == 5 {
		defer func() {
			count()
			if recover() != nil {
				runtime.Gosched()
				sum = step(sum)
			}
		}()
	}
	if n == last {
		runtime.Gosched()
		panic("in the innermost")
	}
	sum = nests(n+1, last)
	runtime.Gosched()
	return step(sum)
}

//go:noinline
func after(n int) int {
	count()
	if guards(n) {
		return step(n)
	}
	return 0
}

//go:noinline
func leaves(done *sync.WaitGroup) {
	count()
	defer done.Done()
	defer tidy()
	exits()
}

//go:noinline
func exits() { count(); runtime.Goexit() }

// ---- Goroutines that start goroutines ----

//go:noinline
func branch(n int, done *sync.WaitGroup) {
	count()
	defer done.Done()
	if n == 0 {
		return
	}
	done.Add(2)
	go branch(n-1, done)
	runtime.Gosched()
	go branch(n-1, done)
}

//go:noinline
func locked(lock *sync.Mutex, sum *int, done *sync.WaitGroup) {
	count()
	defer done.Done()
	for i := 0; i < 5; i++ {
		lock.Lock()
		*sum = step(*sum)
		runtime.Gosched()
		lock.Unlock()
	}
}

// ---- Waiting for several, and for time ----

//go:noinline
func ticks(n int, out chan<- int) {
	count()
	for i := 0; i < n; i++ {
		time.Sleep(time.Millisecond)
		out <- i
	}
	close(out)
}

//go:noinline
func choose(n int) (sum int) {
	count()
	a, b := make(chan int), make(chan int)
	go ticks(n, a)
	go ticks(n, b)
	late := time.After(20 * time.Second)
	for a != nil || b != nil {
		select {
		case v, ok := <-a:
			if !ok {
				a = nil
			}
			sum += step(v)
		case v, ok := <-b:
			if !ok {
				b = nil
			}
			sum += step(v)
		case <-late:
			panic("late")
		}
	}
	return sum
}

//go:noinline
func rings(done *sync.WaitGroup) func() {
	count()
	return func() { count(); done.Done() }
}

// ---- Coroutines, interfaces, memory ----

//go:noinline
func numbers(n int) iter.Seq[int] {
	count()
	return func(yield func(int) bool) {
		count()
		for i := 0; i < n && yield(step(i)); i++ {
		}
	}
}

//go:noinline
func pull(n int) (sum int) {
	count()
	next, stop := iter.Pull(numbers(n))
	defer stop()
	for v, ok := next(); ok && v < n; v, ok = next() {
		sum += v
	}
	return sum
}

type shape interface{ area() int }
type square struct{ side int }
type box struct{ width, height int }

//go:noinline
func (s *square) area() int { count(); return s.side * s.side }

//go:noinline
func (b *box) area() int { count(); runtime.Gosched(); return b.width * b.height }

//go:noinline
func areas(shapes []shape) (sum int) {
	count()
	for _, s := range shapes {
		sum += s.area()
	}
	return sum
}

type tree struct{ left, right *tree }

//go:noinline
func grow(n int) *tree {
	count()
	if n == 0 {
		return nil
	}
	return &tree{grow(n - 1), grow(n - 1)}
}

//go:noinline
func collect(n int) (sum int) {
	count()
	for i := 0; i < n; i++ {
		if grow(8).left != nil {
			sum++
		}
		runtime.GC()
	}
	return sum
}

func main() {
	fmt.Println(pingpong(1000))
	ready := make(chan bool)
	go func() { count(); runtime.Gosched(); ready <- true }()
	fmt.Println(deep(500, ready), even(30), after(3), after(0), nests(0, 11))
	var done sync.WaitGroup
	var lock sync.Mutex
	sum := 0
	done.Add(1 + 1 + 4)
	go leaves(&done)
	go branch(5, &done)
	for i := 0; i < 4; i++ {
		go locked(&lock, &sum, &done)
	}
	done.Wait()
	done.Add(3)
	for i := 0; i < 3; i++ {
		time.AfterFunc(time.Millisecond, rings(&done))
	}
	done.Wait()
	// Goroutines that are used again.
	for i := 0; i < 10; i++ {
		done.Add(1)
		go branch(0, &done)
		done.Wait()
	}
	fmt.Println(sum, choose(10), pull(20), collect(5))
	fmt.Println(areas([]shape{&square{2}, &box{2, 3}, &square{3}}))
	report()
	if len(os.Args) > 1 {
		os.Exit(len(os.Args))
	}
}
