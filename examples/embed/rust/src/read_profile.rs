/// Returns the profile of a module that was instrumented with `wasm-instrument --embed`: `size` is what its export
/// `wasm_perf_profile` returned, `read` calls `wasm_perf_read` in any engine.
pub fn read_profile<E>(size: u32, mut read: impl FnMut(u32) -> Result<u64, E>) -> Result<Vec<u8>, E> {
    let mut bytes = Vec::new();
    for offset in (0..size).step_by(8) {
        bytes.extend(read(offset)?.to_le_bytes());
    }
    bytes.truncate(size as usize);
    Ok(bytes)
}
