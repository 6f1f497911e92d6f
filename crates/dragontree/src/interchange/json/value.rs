//! JSON, read into values that know their lines (RFC 8259).

/// What stands at some place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Value<'a> {
    pub(super) line: u32,
    pub(super) content: Content<'a>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Content<'a> {
    /// `null`, `true` or `false`, or a number as it is written.
    Word(&'a str),
    Text(String),
    List(Vec<Value<'a>>),
    Object(Vec<(String, Value<'a>)>),
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wrong {
    pub(super) line: u32,
    pub(super) expected: &'static str,
    pub(super) found: String,
}

/// The deepest nesting that is read.
const DEEPEST: u32 = 16;

pub(super) fn parse(text: &str) -> Result<Value<'_>, Wrong> {
    let mut parser = Parser { rest: text, line: 1 };
    let value = parser.value(0)?;
    match parser.next() {
        None => Ok(value),
        Some(_) => Err(parser.wrong("nothing behind the value")),
    }
}

struct Parser<'a> {
    rest: &'a str,
    line: u32,
}

impl<'a> Parser<'a> {
    /// The next byte that is no space.
    fn next(&mut self) -> Option<u8> {
        let blank = |byte: &u8| byte.is_ascii_whitespace();
        let count = self.rest.bytes().take_while(blank).count();
        self.line += self.rest[..count].bytes().filter(|byte| *byte == b'\n').count() as u32;
        self.rest = &self.rest[count..];
        self.rest.bytes().next()
    }

    fn wrong(&self, expected: &'static str) -> Wrong {
        let found = self.rest.lines().next().unwrap_or("the end of the file").to_owned();
        Wrong { line: self.line, expected, found }
    }

    fn take(&mut self, sign: u8) -> bool {
        let is_there = self.next() == Some(sign);
        self.rest = &self.rest[usize::from(is_there)..];
        is_there
    }

    fn value(&mut self, depth: u32) -> Result<Value<'a>, Wrong> {
        let first = self.next();
        let line = self.line;
        if depth >= DEEPEST {
            return Err(self.wrong("less nesting"));
        }
        let content = match first {
            Some(b'{') => Content::Object(self.object(depth)?),
            Some(b'[') => Content::List(self.list(depth)?),
            Some(b'"') => Content::Text(self.text()?),
            _ => Content::Word(self.word()?),
        };
        Ok(Value { line, content })
    }

    fn object(&mut self, depth: u32) -> Result<Vec<(String, Value<'a>)>, Wrong> {
        let mut fields = Vec::new();
        self.take(b'{');
        while !self.take(b'}') {
            if !fields.is_empty() && !self.take(b',') {
                return Err(self.wrong("a comma or }"));
            }
            if self.next() != Some(b'"') {
                return Err(self.wrong("a key in quotation marks"));
            }
            let key = self.text()?;
            if !self.take(b':') {
                return Err(self.wrong("a colon behind the key"));
            }
            fields.push((key, self.value(depth + 1)?));
        }
        Ok(fields)
    }

    fn list(&mut self, depth: u32) -> Result<Vec<Value<'a>>, Wrong> {
        let mut members = Vec::new();
        self.take(b'[');
        while !self.take(b']') {
            if !members.is_empty() && !self.take(b',') {
                return Err(self.wrong("a comma or ]"));
            }
            members.push(self.value(depth + 1)?);
        }
        Ok(members)
    }

    fn word(&mut self) -> Result<&'a str, Wrong> {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        let (word, rest) = self.rest.split_at(self.rest.bytes().take_while(is_part).count());
        let is_number = word.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        if !is_number && !["null", "true", "false"].contains(&word) {
            return Err(self.wrong("a value"));
        }
        self.rest = rest;
        Ok(word)
    }

    /// What stands between the quotation marks at this place.
    fn text(&mut self) -> Result<String, Wrong> {
        const END: &str = "a closing quotation mark";
        let mut text = String::new();
        let mut rest = &self.rest[1..];
        loop {
            let end = rest.find(['"', '\\', '\n']).ok_or_else(|| self.wrong(END))?;
            text.push_str(&rest[..end]);
            let sign = rest.as_bytes()[end];
            rest = &rest[end + 1..];
            match sign {
                b'"' => {
                    self.rest = rest;
                    return Ok(text);
                }
                b'\n' => return Err(self.wrong(END)),
                _ => {
                    let (c, after) = escape(rest).ok_or_else(|| self.wrong("a known escape"))?;
                    text.push(c);
                    rest = after;
                }
            }
        }
    }
}

/// The character behind a backslash, and what follows.
fn escape(text: &str) -> Option<(char, &str)> {
    let (first, rest) = (text.chars().next()?, text.get(1..)?);
    let c = match first {
        '"' | '\\' | '/' => first,
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'u' => return unicode(rest),
        _ => return None,
    };
    Some((c, rest))
}

/// The character of four hexadecimal digits, or of two such groups (UTF-16).
fn unicode(text: &str) -> Option<(char, &str)> {
    let unit = |text: &str| u32::from_str_radix(text.get(..4)?, 16).ok();
    let (high, rest) = (unit(text)?, text.get(4..)?);
    if !(0xd800..0xdc00).contains(&high) {
        return Some((char::from_u32(high)?, rest));
    }
    let rest = rest.strip_prefix("\\u")?;
    let low = unit(rest)?.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
    Some((char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + low)?, rest.get(4..)?))
}

/// A text in quotation marks.
pub(super) fn quotation(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(c);
            }
            '\0'..' ' => quoted.push_str(&format!("\\u{:04x}", u32::from(c))),
            _ => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The same value as another reader sees it.
    fn foreign(value: &Value<'_>) -> serde_json::Value {
        match &value.content {
            Content::Word(word) => serde_json::from_str(word).expect("a word of JSON"),
            Content::Text(text) => text.as_str().into(),
            Content::List(members) => members.iter().map(foreign).collect(),
            Content::Object(fields) => {
                fields.iter().map(|(key, value)| (key.clone(), foreign(value))).collect()
            }
        }
    }

    fn values() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            any::<Option<bool>>().prop_map(|flag| serde_json::json!(flag)),
            any::<i64>().prop_map(|number| serde_json::json!(number)),
            any::<String>().prop_map(|text| serde_json::json!(text)),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            let object = prop::collection::btree_map(any::<String>(), inner.clone(), 0..6);
            prop_oneof![
                prop::collection::vec(inner, 0..6).prop_map(serde_json::Value::from),
                object.prop_map(|fields| fields.into_iter().collect()),
            ]
        })
    }

    proptest! {
        #[test]
        fn values_are_those_that_another_reader_sees(value in values(), is_pretty: bool) {
            let text = match is_pretty {
                true => serde_json::to_string_pretty(&value).expect("a text"),
                false => value.to_string(),
            };
            let own = parse(&text);
            prop_assert_eq!(own.map(|own| foreign(&own)), Ok(value));
        }

        #[test]
        fn texts_come_back(text in any::<String>()) {
            let quoted = quotation(&text);
            let read: String = serde_json::from_str(&quoted).expect("a text of JSON");
            prop_assert_eq!(&read, &text);
            prop_assert_eq!(parse(&quoted).map(|value| value.content), Ok(Content::Text(text)));
        }

        #[test]
        fn what_another_reader_refuses_is_refused(text in "[\\[\\]{}\",:\\\\ua0-2e.tru\n -]{0,12}") {
            // Numbers are looked at where they are needed, so only structure is compared.
            let is_plain = !text.contains(|c: char| c.is_ascii_digit() || "-+.".contains(c));
            if is_plain && parse(&text).is_ok() {
                prop_assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok());
            }
        }
    }

    #[test]
    fn escapes_lines_and_depth() {
        let value = parse("[\n\"\\u0041\\ud83d\\ude00\\n\",\n 3]").expect("a list");
        let Content::List(members) = value.content else { panic!("a list") };
        assert_eq!(members[0].content, Content::Text("A😀\n".to_owned()));
        assert_eq!([members[0].line, members[1].line], [2, 3]);
        for wrong in ["", "{", "[1,]", "{\"a\" 1}", "\"\\ud83d\"", "\"\\x\"", "nul", "1 2"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse(&"[".repeat(1_000)).map_err(|w| w.expected), Err("less nesting"));
    }
}
