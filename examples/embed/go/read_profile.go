package main

import "encoding/binary"

// readProfile returns the profile of a module that was instrumented with `wasm-instrument --embed`: size is what its
// export wasm_perf_profile returned, read calls wasm_perf_read in any engine.
func readProfile(size uint32, read func(offset uint32) uint64) []byte {
	bytes := make([]byte, 0, size+8)
	for uint32(len(bytes)) < size {
		bytes = binary.LittleEndian.AppendUint64(bytes, read(uint32(len(bytes))))
	}
	return bytes[:size]
}
