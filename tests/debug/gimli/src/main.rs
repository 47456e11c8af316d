//! Whether gimli's addr2line finds the same at the places of one module and of another.
//!
//! debug-gimli ORIGINAL REWRITTEN < pairs of addresses, two little-endian u32 each
//!
//! Prints how many were compared, how many of them it knows something about, how many differ.
use addr2line::gimli::{self, EndianSlice, LittleEndian, SectionId};
use std::{env, fs, io::Read};

type Reader<'a> = EndianSlice<'a, LittleEndian>;

fn number(bytes: &[u8], at: &mut usize) -> usize {
    let (mut value, mut shift) = (0, 0);
    loop {
        let byte = bytes[*at];
        *at += 1;
        value |= ((byte & 0x7f) as usize) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            return value;
        }
    }
}

/// The contents of the first custom section of that name.
fn section<'a>(module: &'a [u8], wanted: &str) -> &'a [u8] {
    let mut at = 8;
    while at < module.len() {
        let id = module[at];
        at += 1;
        let size = number(module, &mut at);
        let end = at + size;
        if id == 0 {
            let mut start = at;
            let length = number(module, &mut start);
            if &module[start..start + length] == wanted.as_bytes() {
                return &module[start + length..end];
            }
        }
        at = end;
    }
    &[]
}

fn context(module: &[u8]) -> addr2line::Context<Reader<'_>> {
    let load = |id: SectionId| -> Result<Reader<'_>, gimli::Error> {
        Ok(EndianSlice::new(section(module, id.name()), LittleEndian))
    };
    let dwarf = gimli::Dwarf::load(load).expect("DWARF");
    addr2line::Context::from_dwarf(dwarf).expect("DWARF")
}

/// Function, file, line and column of each frame, the innermost first.
fn frames(context: &addr2line::Context<Reader<'_>>, address: u64, text: &mut String) {
    use std::fmt::Write;
    text.clear();
    let mut frames = match context.find_frames(address).skip_all_loads() {
        Ok(frames) => frames,
        Err(error) => return text.push_str(&error.to_string()),
    };
    loop {
        match frames.next() {
            Ok(Some(frame)) => {
                if let Some(function) = &frame.function {
                    text.push_str(&function.raw_name().unwrap_or_default());
                }
                if let Some(at) = &frame.location {
                    write!(text, " {} {:?}:{:?}", at.file.unwrap_or("?"), at.line, at.column).unwrap();
                }
                text.push('\n');
            }
            Ok(None) => return,
            Err(error) => return text.push_str(&error.to_string()),
        }
    }
}

fn main() {
    let names: Vec<String> = env::args().skip(1).collect();
    let modules: Vec<Vec<u8>> = names.iter().map(|name| fs::read(name).expect(name)).collect();
    let (before, after) = (context(&modules[0]), context(&modules[1]));
    let mut pairs = Vec::new();
    std::io::stdin().read_to_end(&mut pairs).expect("pairs");
    let (mut one, mut other) = (String::new(), String::new());
    let (mut known, mut different) = (0, 0);
    for pair in pairs.chunks_exact(8) {
        let old = u32::from_le_bytes(pair[..4].try_into().unwrap());
        let new = u32::from_le_bytes(pair[4..].try_into().unwrap());
        frames(&before, old.into(), &mut one);
        frames(&after, new.into(), &mut other);
        known += usize::from(!one.is_empty());
        if one != other {
            different += 1;
            if different <= 3 {
                eprintln!("0x{old:x} -> 0x{new:x}\nwas {one}is  {other}");
            }
        }
    }
    println!("{} {} {}", pairs.len() / 8, known, different);
}
