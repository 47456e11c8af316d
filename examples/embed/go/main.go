// read_profile: calls the export `run` of a module in wasmtime with a number, and saves the profile.
//
//	read_profile MODULE NUMBER OUTPUT
package main

import (
	"log"
	"os"
	"strconv"

	"github.com/bytecodealliance/wasmtime-go/v39"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	config := wasmtime.NewConfig()
	config.SetWasmMultiMemory(true)
	engine := wasmtime.NewEngineWithConfig(config)
	store := wasmtime.NewStore(engine)
	module := must(wasmtime.NewModule(engine, must(os.ReadFile(os.Args[1]))))
	instance := must(wasmtime.NewInstance(store, module, nil))
	call := func(name string, args ...interface{}) interface{} {
		return must(instance.GetFunc(store, name).Call(store, args...))
	}
	call("run", int32(must(strconv.Atoi(os.Args[2]))))
	bytes := readProfile(uint32(call("wasm_perf_profile").(int32)), func(offset uint32) uint64 {
		return uint64(call("wasm_perf_read", int32(offset)).(int64))
	})
	if err := os.WriteFile(os.Args[3], bytes, 0o666); err != nil {
		log.Fatal(err)
	}
}
