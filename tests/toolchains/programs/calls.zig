const std = @import("std");

noinline fn leaf(n: u32) u32 {
    return n * 3 + 1;
}

noinline fn branch(n: u32) u32 {
    return if (n == 0) 0 else leaf(n) + branch(n - 1);
}

pub fn main() void {
    var sum: u32 = 0;
    for (0..10) |i| sum += branch(@intCast(i));
    std.debug.print("{}\n", .{sum});
}
