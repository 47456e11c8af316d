// wazero: runs an instrumented WASI command beside wasm_perf.wasm, writes what was counted as a profile for
// go tool pprof, and serves it where Go's own profiles are served: /debug/pprof/profile.
package main

import (
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"log"
	"math"
	"math/bits"
	"net/http"
	"os"

	"github.com/google/pprof/profile"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"
)

// functionNames reads the section "name" of a module, of which wazero shows nothing. Sizes that lead beyond what is
// there end it.
func functionNames(code []byte) map[uint32]string {
	names := map[uint32]string{}
	number := func(at *[]byte) uint32 {
		value, size := binary.Uvarint(*at)
		if size <= 0 {
			*at = nil
			return 0
		}
		*at = (*at)[size:]
		return uint32(value)
	}
	take := func(at *[]byte) []byte { // what stands behind its size
		size := min(int(number(at)), len(*at))
		taken := (*at)[:size]
		*at = (*at)[size:]
		return taken
	}
	for code = code[8:]; len(code) > 0; {
		id := number(&code)
		section := take(&code)
		if id != 0 || string(take(&section)) != "name" {
			continue
		}
		for len(section) > 0 {
			kind := number(&section)
			items := take(&section)
			for count := number(&items); kind == 1 && count > 0 && len(items) > 0; count-- {
				index := number(&items)
				names[index] = string(take(&items))
			}
		}
	}
	return names
}

// selfType tells what self values count, and how many of them a second has: 0 where they are no time.
func selfType(clock uint32, ticksPerSecond uint64) (*profile.ValueType, uint64) {
	const instructions = 2
	if ticksPerSecond > 0 {
		return &profile.ValueType{Type: "self", Unit: "nanoseconds"}, ticksPerSecond
	}
	if clock == instructions {
		return &profile.ValueType{Type: "self", Unit: "instructions"}, 0
	}
	return &profile.ValueType{Type: "self", Unit: "ticks"}, 0
}

// nanoseconds of that many ticks, rounded to the nearest.
func nanoseconds(ticks, ticksPerSecond uint64) int64 {
	high, low := bits.Mul64(ticks, 1e9)
	low, carry := bits.Add64(low, ticksPerSecond/2, 0)
	quotient, _ := bits.Div64((high+carry)%ticksPerSecond, low, ticksPerSecond)
	return int64(min(quotient, math.MaxInt64))
}

// readTree makes a profile of the call tree in the runtime's memory; wasm_perf/format.h describes it.
func readTree(ctx context.Context, runtime api.Module, names map[uint32]string) (*profile.Profile, error) {
	address, err := runtime.ExportedFunction("perf_profile").Call(ctx)
	if err != nil {
		return nil, err
	}
	size, err := runtime.ExportedFunction("perf_profile_size").Call(ctx)
	if err != nil {
		return nil, err
	}
	bytes, ok := runtime.Memory().Read(uint32(address[0]), uint32(size[0]))
	if !ok || len(bytes) < 40 {
		return nil, errors.New("the runtime has no profile")
	}
	word := func(at uint32) uint32 { return binary.LittleEndian.Uint32(bytes[at:]) }
	long := func(at uint32) uint64 { return binary.LittleEndian.Uint64(bytes[at:]) }
	headerSize, nodeSize, nodeCount := word(12), word(16), word(20)
	valueType, ticksPerSecond := selfType(word(28), long(32))
	result := &profile.Profile{SampleType: []*profile.ValueType{{Type: "calls", Unit: "count"}, valueType}}
	locations := map[uint32]*profile.Location{}
	stacks := make([][]*profile.Location, nodeCount) // innermost first; the root has none
	for i := uint32(1); i < nodeCount; i++ {
		node := headerSize + i*nodeSize
		index := word(node)
		location := locations[index]
		if location == nil {
			name := names[index]
			if name == "" {
				name = fmt.Sprintf("func[%d]", index)
			}
			id := uint64(len(locations) + 1)
			function := &profile.Function{ID: id, Name: name, SystemName: name}
			location = &profile.Location{ID: id, Line: []profile.Line{{Function: function}}}
			locations[index] = location
			result.Function = append(result.Function, function)
			result.Location = append(result.Location, location)
		}
		stacks[i] = append([]*profile.Location{location}, stacks[word(node+4)]...)
		self := int64(long(node + 16))
		if ticksPerSecond > 0 {
			self = nanoseconds(long(node+16), ticksPerSecond)
		}
		result.Sample = append(result.Sample,
			&profile.Sample{Location: stacks[i], Value: []int64{int64(long(node + 8)), self}})
	}
	return result, result.CheckValid()
}

func run(ctx context.Context, runtimePath, path string, args []string) (*profile.Profile, error) {
	r := wazero.NewRuntime(ctx)
	defer r.Close(ctx)
	wasi_snapshot_preview1.MustInstantiate(ctx, r)
	code, err := os.ReadFile(runtimePath)
	if err != nil {
		return nil, err
	}
	clocks := wazero.NewModuleConfig().WithSysNanotime().WithSysWalltime()
	runtime, err := r.InstantiateWithConfig(ctx, code, clocks.WithName("wasm_perf"))
	if err != nil {
		return nil, err
	}
	if code, err = os.ReadFile(path); err != nil {
		return nil, err
	}
	module, err := r.CompileModule(ctx, code)
	if err != nil {
		return nil, err
	}
	config := clocks.WithArgs(append([]string{path}, args...)...).WithStdin(os.Stdin).
		WithStdout(os.Stdout).WithStderr(os.Stderr)
	_, failure := r.InstantiateModule(ctx, module, config)
	var exit *sys.ExitError
	if errors.As(failure, &exit) && exit.ExitCode() == 0 {
		failure = nil
	}
	tree, err := readTree(ctx, runtime, functionNames(code)) // also of a program that trapped
	return tree, errors.Join(failure, err)
}

func main() {
	runtimePath := flag.String("runtime", "wasm_perf.wasm", "the runtime as a module")
	output := flag.String("o", "profile.pb.gz", "where the profile goes")
	serve := flag.String("http", "", "then serve it at this address, as in localhost:6060")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: host [OPTION]... MODULE.prof.wasm [ARGUMENT]...")
		flag.PrintDefaults()
		os.Exit(2)
	}
	tree, failure := run(context.Background(), *runtimePath, flag.Arg(0), flag.Args()[1:])
	if tree == nil {
		log.Fatal(failure)
	}
	file, err := os.Create(*output)
	if err == nil {
		err = errors.Join(tree.Write(file), file.Close())
	}
	if err = errors.Join(failure, err); err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/debug/pprof/profile", func(w http.ResponseWriter, _ *http.Request) { _ = tree.Write(w) })
	if *serve != "" {
		log.Fatal(http.ListenAndServe(*serve, nil))
	}
}
