module read_profile

go 1.21

require github.com/bytecodealliance/wasmtime-go/v39 v39.0.1
