//! When the ranks of an all-to-all go on to their next phase.

use dragontree::exchange::{Exchanged, Message, Moment};
use dragontree::random::Stream;
use dragontree::units::Rank;

use crate::built;

/// With places of endpoints that are missing.
const KEPT: &str = "placement=contiguous,keepers=yes faults=random,endpoints=5";

/// Messages arrive and are acknowledged in any order; a rank sends only what it may, by the list of
/// phases, and all is sent in the end.
#[test]
fn ranks_that_wait_for_both_have_all_of_their_earlier_phases() {
    let tree = "topology=xgft,m=4.2.2,w=1.4.1 exchange=all_to_all";
    let dragonfly = "topology=dragonfly,p=1,a=4,h=2 exchange=all_to_all";
    for text in [
        format!("{tree},order=lin,awaits=both"),
        format!("{tree},order=xor,awaits=both,acks=no"),
        format!("{tree},order=opt,awaits=both,own=sent"),
        format!("{tree},order=permuted,permutation=2.3.1,awaits=both"),
        format!("{tree},order=lin,shift=3,awaits=both {KEPT}"),
        format!("{tree},order=xor,awaits=both {KEPT}"),
        format!("{tree},order=opt,awaits=both,own=sent {KEPT}"),
        format!("{tree},order=bgh,awaits=both {KEPT}"),
        format!("{tree},order=ghe,awaits=both {KEPT}"),
        format!("{tree},order=opt,awaits=both ranks_per_endpoint=2"),
        format!("{dragonfly},order=lat,awaits=both"),
        format!("{dragonfly},order=lat,awaits=both {KEPT}"),
    ] {
        let exchanged = built(&text).2.exchanged;
        (0..20).for_each(|seed| replay(&exchanged, seed, &text));
    }
}

/// Lets what happens to messages happen in any order.
fn replay(exchanged: &Exchanged, seed: u64, text: &str) {
    let Exchanged { workload, phases, .. } = exchanged;
    let phases: Vec<_> = phases.each().collect();
    let (moments, own) = match workload.is_acknowledged() {
        true => ([Moment::Delivered, Moment::Acknowledged], Moment::Acknowledged),
        false => ([Moment::Sent, Moment::Delivered], Moment::Sent),
    };
    let mut stream = Stream::new(seed, "test", 0);
    let mut state = workload.start();
    let (mut post, mut pending): (Vec<Message>, Vec<_>) = (Vec::new(), Vec::new());
    let mut done = Vec::new();
    let mut sent = 0;
    for rank in 0..workload.ranks() {
        workload.begin(&mut state, Rank(rank), &mut post);
    }
    loop {
        for message in post.drain(..) {
            let phase = message.label / u64::from(workload.ranks());
            for (from, to) in phases[..phase as usize].iter().flatten() {
                let by = *from == message.source;
                let for_it = *to == message.source;
                assert!(!by || done.contains(&(own, *from, *to)), "{text}");
                assert!(!for_it || done.contains(&(Moment::Delivered, *from, *to)), "{text}");
            }
            sent += 1;
            pending.push((message, moments.to_vec()));
        }
        if pending.is_empty() {
            break;
        }
        let place = stream.below(pending.len() as u32) as usize;
        let (message, moments) = &mut pending[place];
        let moment = moments.remove(0);
        done.push((moment, message.source, message.destination));
        workload.react(&mut state, moment, message, &mut post);
        if moments.is_empty() {
            pending.swap_remove(place);
        }
    }
    assert_eq!(sent, workload.messages(), "{text}");
}

/// Two ranks wait for each other; else the one that has little to wait for goes ahead.
#[test]
fn a_rank_goes_ahead_only_where_it_waits_for_its_own_message() {
    for (awaits, expected) in [("sent", 2), ("both", 1)] {
        let text = format!("topology=xgft,m=4,w=1 exchange=all_to_all,order=xor,awaits={awaits}");
        let (_, _, exchanging) = built(&text);
        let workload = &exchanging.exchanged.workload;
        let mut state = workload.start();
        let mut post = Vec::new();
        workload.begin(&mut state, Rank(0), &mut post);
        let first = post[0];
        for moment in [Moment::Sent, Moment::Delivered, Moment::Acknowledged] {
            workload.react(&mut state, moment, &first, &mut post);
        }
        assert_eq!(post.len(), expected, "awaits={awaits}");
    }
}
