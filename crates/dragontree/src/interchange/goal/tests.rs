use super::*;

fn parsed(text: &str) -> Result<Schedule, String> {
    read(Source { name: "a.goal", text }).map_err(|wrong| wrong.to_string())
}

/// Rank 1 passes on what it gets, once both messages have come.
const PASSED_ON: &str = "num_ranks 3\n\
    rank 0 {\nl1: send 100b to 1 tag 4 cpu 1\nl2: send 200b to 1\n}\n\
    rank 1 {\nl1: recv 100b from 0 tag 4\nl2: recv 200b from 0\nl3: calc 0\n\
    l4: send 300b to 2 // both\nl3 requires l1, l2\nl4 requires l3\n}\n\
    rank 2 {\nrecv 300b from 1\n}\n";

#[test]
fn waits_go_through_joins_to_messages() {
    let schedule = parsed(PASSED_ON).unwrap();
    let [first, second, third] = &schedule.messages[..] else { panic!("{schedule:?}") };
    assert_eq!((first.ends, first.bytes, second.bytes), ([0, 1], 100, 200));
    let arrived = |message| Wait { message, arrived: true };
    assert_eq!((third.ends, &third.after[..]), ([1, 2], &[arrived(0), arrived(1)][..]));
    assert!(is_like(PASSED_ON) && !is_like("rank 0 {"));
}

#[test]
fn comments_of_every_kind_are_skipped_and_lines_counted() {
    let commented = PASSED_ON.replace("send 100b", "/* a\n b */ send # c /*\n 100b");
    assert!(is_like(&format!("/* made by\n hand */ // or\n# not\n{PASSED_ON}")));
    // The comments break the line that they are in.
    assert!(parsed(&commented).unwrap_err().contains("line 3"));
    let around = PASSED_ON.replace("l1: send 100b to 1", "/* one */ l1: /**/ send 100b to 1");
    assert_eq!(parsed(&around).unwrap(), parsed(PASSED_ON).unwrap());
}

#[test]
fn a_send_that_requires_a_send_waits_until_it_has_left() {
    let text = "num_ranks 2\nrank 0 {\na: send 1b to 1\nb: send 2b to 1\nb requires a\n}\n\
                rank 1 {\nrecv 1b from 0\nrecv 2b from 0\n}\n";
    let found = parsed(text).unwrap().messages[1].after.clone();
    assert_eq!(found, [Wait { message: 0, arrived: false }]);
}

#[test]
fn a_wrong_line_is_named() {
    let said = |text: &str| parsed(text).unwrap_err();
    assert!(said("num_ranks 2\nrank 2 {\n").contains("line 2"));
    assert!(said("num_ranks 2\nrank 0 {\nsend 1b to 1\n}\n").contains("does not receive it"));
    let unsent = "num_ranks 2\nrank 0 {\nrecv 1b from 1\n}\n";
    assert!(said(unsent).contains("nothing is sent from 1"), "{}", said(unsent));
    assert!(said("num_ranks 1\nrank 0 {\nl: calc 50\n").contains("calc 0"));
    assert!(said("num_ranks 9\nnum_ranks 2\n").contains("line 2: expected num_ranks once"));
    let cut = "num_ranks 2\nrank 0 {\nsend 1b to 1\n}\nrank 1 {\nrecv 1b from 0\n";
    assert!(said(cut).contains("“}” that ends rank 1"), "{}", said(cut));
    assert!(said("num_ranks 2\nrank 0 {\nrank 1 {\n").contains("line 3: expected “}”"));
    let circle = "num_ranks 2\nrank 0 {\na: recv 1b from 1\nb: recv 1b from 1\na requires b\n\
                  b requires a\nc: send 9b to 1\nc requires a\n}\nrank 1 {\nsend 1b to 0\n\
                  send 1b to 0\nrecv 9b from 0\n}\n";
    assert!(said(circle).contains("a circle"), "{}", said(circle));
}
