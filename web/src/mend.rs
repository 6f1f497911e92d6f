//! Puts the nearest valid value in the place of one that is not.

use dragontree::catalog::Problem;

/// The text with the nearest value where the problem's is; nothing when there is no such place.
pub fn mend(text: &str, problem: &Problem) -> Option<String> {
    let nearest = problem.nearest.as_deref()?;
    let (key, setting) = place(&problem.key);
    let mut words: Vec<String> = text
        .split(|c: char| c == '&' || c.is_whitespace())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    let ours = |word: &&mut String| {
        let name = word.split_once('=').map_or(word.as_str(), |(name, _)| name);
        name == key || key.is_empty() && name == problem.given
    };
    let mended = words
        .iter_mut()
        .filter(ours)
        .find_map(|word| replaced(word, &problem.given, nearest).map(|new| *word = new));
    if mended.is_none() {
        set(&mut words, key, setting, nearest)?;
    }
    Some(words.join(" "))
}

/// The key and the setting that a problem names; a part after the key is no part of its name.
fn place(key: &str) -> (&str, &str) {
    let (key, setting) = key.split_once(',').unwrap_or((key, ""));
    let key = key.split_once('=').map_or(key, |(key, _)| key);
    (key, setting)
}

/// A word with one of its pieces replaced; pieces end at the marks of the notation.
fn replaced(word: &str, given: &str, nearest: &str) -> Option<String> {
    if given.is_empty() {
        return None;
    }
    let mark = |c: char| matches!(c, '=' | ',' | '/' | ':');
    let ends = |text: &str| text.is_empty() || text.starts_with(mark) || text.starts_with("..");
    let begins = |text: &str| text.is_empty() || text.ends_with(mark) || text.ends_with("..");
    let found = word
        .match_indices(given)
        .find(|(at, _)| begins(&word[..*at]) && ends(&word[at + given.len()..]));
    found.map(|(at, _)| {
        let (before, after) = (&word[..at], &word[at + given.len()..]);
        format!("{before}{nearest}{after}")
    })
}

/// Writes a value whose own text is not there, as when it came out of a range or a default.
fn set(words: &mut Vec<String>, key: &str, setting: &str, value: &str) -> Option<()> {
    if key.is_empty() {
        return None;
    }
    let start = format!("{key}=");
    match words.iter_mut().find(|word| word.starts_with(&start)) {
        Some(word) if setting.is_empty() => *word = format!("{key}={value}"),
        Some(word) => {
            let own = format!("{setting}=");
            let kept = word.split(',').filter(|piece| !piece.starts_with(&own));
            *word = kept.collect::<Vec<_>>().join(",");
            word.push_str(&format!(",{setting}={value}"));
        }
        None if setting.is_empty() => words.push(format!("{key}={value}")),
        None => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use dragontree::scenario::Study;

    /// Mends the first problem of a text and expects the result.
    fn check(text: &str, expected: &str) {
        let wrong = Study::parse(text).expect_err(text);
        let mended = mend(text, &wrong.problems[0]);
        assert_eq!(mended.as_deref(), Some(expected), "{wrong}");
    }

    #[test]
    fn values_out_of_range_are_drawn_in() {
        check("topology=dragonfly,p=900", "topology=dragonfly,p=64");
        check("load=3", "load=1");
        check("seeds=0", "seeds=1");
    }

    #[test]
    fn misspelled_names_are_set_right() {
        check("topology=dragonfy,p=4", "topology=dragonfly,p=4");
        check("topologie=dragonfly", "topology=dragonfly");
        check("topology=dragonfly,group=5", "topology=dragonfly,groups=5");
        check("y=acepted", "y=accepted");
    }

    #[test]
    fn only_the_wrong_alternative_changes() {
        check("topology=dragonfly,p=4/900,h=4", "topology=dragonfly,p=4/64,h=4");
    }

    #[test]
    fn defaults_that_do_not_fit_are_written_out() {
        let problem = Problem {
            nearest: Some("72".to_owned()),
            ..Problem::new("ranks", "4000", "allowed: 2 to 72")
        };
        assert_eq!(mend("seed=1", &problem).as_deref(), Some("seed=1 ranks=72"));
    }

    #[test]
    fn nothing_is_guessed() {
        assert_eq!(mend("seed=x", &Problem::new("seed", "x", "a number")), None);
    }
}
