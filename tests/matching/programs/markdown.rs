//! Renders Markdown.
use pulldown_cmark::{html, Options, Parser};
use std::collections::{BTreeMap, HashMap};

const TEXT: &str = "# Title\n\nSome *emphasis*, **strong**, `code`, a [link](http://example.com \"title\") and <b>html</b>.\n\n\
* one\n* two\n  1. three\n  2. four\n\n> quote\n> more\n\n```rust\nfn main() {}\n```\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n\n\
A footnote[^1], ~~gone~~, a task:\n\n- [x] done\n- [ ] open\n\n[^1]: The note.\n\nSetext\n===\n\n![image][ref]\n\n[ref]: x.png\n\nAuto <http://a.b> &amp; &copy;\n";

fn main() {
    let mut counts = HashMap::new();
    let mut total = 0;
    for i in 0..30 {
        let text = format!("{}\n\n## Part {} of {:?} {:.3}\n", TEXT, i, Some(i), i as f64 / 7.0);
        let mut out = String::new();
        html::push_html(&mut out, Parser::new_ext(&text, Options::all()));
        for word in out.split_whitespace() {
            *counts.entry(word.to_string()).or_insert(0u32) += 1;
        }
        total += out.len();
    }
    let sorted: BTreeMap<_, _> = counts.iter().collect();
    println!("{} {} {:?}", total, sorted.len(), sorted.iter().next());
}
