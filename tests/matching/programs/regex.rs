//! Searches by regular expressions.
use regex::{Captures, Regex, RegexSet};

fn main() {
    let text: String = (0..400)
        .map(|i| format!("2024-{:02}-{:02} user{}@example.com took {}ms; ", i % 12 + 1, i % 28 + 1, i, i * 37 % 1000))
        .collect();
    let date = Regex::new(r"(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})").unwrap();
    let mail = Regex::new(r"(?i)\b[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}\b").unwrap();
    let set = RegexSet::new(&[r"user\d+7@", r"took 9\d\dms", r"\p{Greek}+", r"^$"]).unwrap();
    let swapped = date.replace_all(&text, |c: &Captures| format!("{}/{}/{}", &c["d"], &c["m"], &c["y"]));
    let split: Vec<&str> = Regex::new(r";\s*").unwrap().split(&text).collect();
    let alternatives = Regex::new("user1|user22|user333|example|took").unwrap();
    println!(
        "{} {} {} {:?} {}",
        swapped.len(),
        mail.find_iter(&text).count(),
        split.len(),
        set.matches(&text).into_iter().collect::<Vec<_>>(),
        alternatives.find_iter(&text).count()
    );
    println!("{:?}", Regex::new(r"a(b|(c").err().map(|e| e.to_string().len()));
}
