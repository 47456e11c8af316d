//! A table whose hashes have a seed of the host's, and how long it took.
const std = @import("std");

extern "wasi_snapshot_preview1" fn random_get(buffer: [*]u8, size: usize) u16;
extern "wasi_snapshot_preview1" fn clock_time_get(clock: u32, precision: u64, time: *u64) u16;

var seed: u64 = 0;
var slots: [1024]u64 = @splat(0);

noinline fn hash(key: u64) u64 {
    return std.hash.Wyhash.hash(seed, std.mem.asBytes(&key));
}

noinline fn insert(key: u64) u64 {
    var at: usize = @intCast(hash(key) % slots.len);
    var steps: u64 = 0;
    while (slots[at] != 0) : (at = (at + 1) % slots.len) steps += 1;
    slots[at] = key;
    return steps;
}

pub fn main() void {
    var start: u64 = 0;
    var end: u64 = 0;
    _ = random_get(@ptrCast(&seed), 8);
    _ = clock_time_get(1, 0, &start);
    var steps: u64 = 0;
    for (1..900) |key| steps += insert(key);
    while (end < start + 50000) _ = clock_time_get(1, 0, &end);
    std.debug.print("{d} {d}\n", .{ steps, end - start });
}
