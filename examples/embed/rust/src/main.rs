//! Calls the export `run` of a module in wasmi with a number, and saves the profile.
//!
//!     read_profile MODULE NUMBER OUTPUT

use std::{env, error::Error, fs};

use wasmi::{Config, Engine, Linker, Module, Store};

mod read_profile;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let mut config = Config::default();
    config.wasm_multi_memory(true);
    let engine = Engine::new(&config);
    let module = Module::new(&engine, fs::read(&args[0])?)?;
    let mut store = Store::new(&engine, ());
    let instance = Linker::new(&engine).instantiate_and_start(&mut store, &module)?;
    instance.get_typed_func::<i32, i32>(&store, "run")?.call(&mut store, args[1].parse()?)?;
    let size = instance.get_typed_func::<(), i32>(&store, "wasm_perf_profile")?.call(&mut store, ())?;
    let read = instance.get_typed_func::<i32, i64>(&store, "wasm_perf_read")?;
    let bytes = read_profile::read_profile(size as u32, |offset| {
        read.call(&mut store, offset as i32).map(|word| word as u64)
    })?;
    fs::write(&args[2], bytes)?;
    Ok(())
}
