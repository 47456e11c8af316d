//! Counts words, sorts them, writes and reads them as JSON.
const std = @import("std");

const Entry = struct { word: []const u8, count: u32 };

fn more(_: void, a: Entry, b: Entry) bool {
    return a.count > b.count or (a.count == b.count and std.mem.lessThan(u8, a.word, b.word));
}

pub fn main() !void {
    var arena = std.heap.ArenaAllocator.init(std.heap.page_allocator);
    const allocator = arena.allocator();
    var counts = std.StringHashMap(u32).init(allocator);
    for (0..3000) |i| {
        const word = try std.fmt.allocPrint(allocator, "w{d}-{x}", .{ i * 7919 % 97, i % 5 });
        const slot = try counts.getOrPutValue(word, 0);
        slot.value_ptr.* += 1;
    }
    const entries = try allocator.alloc(Entry, counts.count());
    var at: usize = 0;
    var words = counts.iterator();
    while (words.next()) |item| : (at += 1) entries[at] = .{ .word = item.key_ptr.*, .count = item.value_ptr.* };
    std.mem.sort(Entry, entries, {}, more);
    const text = try std.fmt.allocPrint(allocator, "{f}", .{std.json.fmt(entries, .{})});
    const back = try std.json.parseFromSlice([]Entry, allocator, text, .{});
    var sum: f64 = 0;
    for (back.value) |entry| sum += @floatFromInt(entry.count);
    var digest: [32]u8 = undefined;
    std.crypto.hash.sha2.Sha256.hash(text, &digest, .{});
    const number = try std.fmt.parseFloat(f64, "1.25e3");
    std.debug.print("{d} {d:.2} {x} {s}\n", .{ back.value.len, sum * number, digest[0..4], entries[0].word });
}
