const std = @import("std");

const Point = struct { x: f64, y: f64 };

inline fn square(v: f64) f64 {
    return v * v;
}

fn distance(a: Point, b: Point) f64 {
    return square(a.x - b.x) + square(a.y - b.y);
}

noinline fn nearest(points: []const Point, to: Point) f64 {
    var best: f64 = 1e300;
    for (points) |point| best = @min(best, distance(point, to));
    return best;
}

pub fn main() void {
    var points: [500]Point = undefined;
    for (&points, 0..) |*point, i| {
        const at: f64 = @floatFromInt(i);
        point.* = .{ .x = at * 0.5, .y = at * 0.25 };
    }
    var sum: f64 = 0;
    for (0..200) |i| sum += nearest(&points, .{ .x = @floatFromInt(i), .y = 2 });
    std.debug.print("{d}\n", .{sum});
}
