//! Orders of all-to-alls: valid whatever the numbers, and as much contention and as many crossings as the
//! documents have; tori as large as theirs.

use proptest::prelude::*;

use dragontree::exchange::Widths;

use super::{built, check_classes, check_valid, class_of_each, contention, dragonfly, run};

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn shifts_are_valid_for_any_number_of_ranks(ranks in 2_u32..120, shift in 0_u32..120) {
        let shift = shift % ranks;
        let order = format!("order=lin,shift={shift}");
        let text = format!("topology=xgft,m={ranks},w=1 exchange=all_to_all,{order}");
        check_valid(&built(&text).2.exchanged.phases, ranks);
    }

    #[test]
    fn classes_of_ways_are_valid_on_any_dragonfly(p in 1_u32..4, a in 1_u32..6, h in 1_u32..4) {
        check_classes([p, a, h], 1);
    }
}

#[test]
fn exclusive_or_is_valid_for_every_power_of_two() {
    for ranks in (1..=8).map(|power| 1 << power) {
        let text = format!("topology=xgft,m={ranks},w=1 exchange=all_to_all,order=xor");
        check_valid(&built(&text).2.exchanged.phases, ranks);
    }
}

/// Two messages share a channel only on ways over a local, a global and another local link, and there
/// in every phase but 16 of 64 on dragonfly (2, 5, 2); found independently.
#[test]
fn classes_of_ways_contend_on_the_longest_ways_only() {
    for widths in super::DRAGONFLIES {
        let text = dragonfly(widths, "lat");
        let (_, network, exchanging) = built(&text);
        let found = contention(&text).per_stage;
        let classes = class_of_each(&network, &exchanging);
        assert_eq!(found.len(), classes.len());
        let mut longest = [0, 0];
        for (class, most) in classes.into_iter().zip(found) {
            match class {
                0 => assert_eq!(most, 0.0, "{text}"),
                1 | 2 => assert_eq!(most, 1.0, "{text}"),
                _ => longest[most as usize - 1] += 1,
            }
        }
        let [p, a, h] = widths;
        let all = p * h * (a - 1) * (a - 1);
        let alone = if widths == [2, 5, 2] { 16 } else { 0 };
        assert_eq!(longest, [alone, all - alone], "{text}");
    }
}

/// Of 128 tasks of a tree (8, 8, 2), whose halves need 32 crossings in a phase (Prisacari 2020, §2.3.1).
#[test]
fn shifts_and_exclusive_or_cross_twice_as_much_as_must_be() {
    for (order, expected) in [("lin", 64), ("xor", 64), ("opt", 32)] {
        let text = format!("topology=xgft,m=8.8.2,w=1.8.8 exchange=all_to_all,order={order}");
        let (_, network, exchanging) = built(&text);
        let crossings = exchanging.crossings(&network).pop().unwrap();
        assert_eq!(crossings.busiest.into_iter().max(), Some(expected), "{order}");
    }
}

/// The largest tori that fit the fabrics of Prisacari 2020, §7.4.4.
#[test]
fn tori_fill_the_documents_fabrics() {
    for (fabric, widths) in [
        ("oft,preset=prisacari_12", [12, 14, 19]),
        ("mlfm,preset=prisacari_15", [15, 16, 15]),
        ("slim_fly,q=13,rounding=floor", [13, 13, 18]),
        ("slim_fly,q=13,rounding=ceil", [13, 13, 20]),
    ] {
        let [x, y, z] = widths;
        // The document's, narrowest first.
        let mut largest = widths.to_vec();
        largest.sort_unstable();
        assert_eq!(Widths::Auto.of(x * y * z), largest, "{fabric}");
        let torus = format!("torus_neighbor,widths={x}.{y}.{z} bytes=512KiB");
        let (_, network, exchanging) = built(&format!("topology={fabric} exchange={torus}"));
        let ranks = x * y * z;
        assert_eq!(network.endpoint_count(), ranks, "{fabric}");
        let mut sent = run(&exchanging.exchanged.workload);
        assert_eq!(sent.len() as u32, 6 * ranks);
        sent.sort_unstable();
        sent.dedup();
        assert_eq!(sent.len() as u32, 6 * ranks, "six neighbors, all different: {fabric}");
    }
}

/// `widths=auto` is the torus that those widths make, whatever ranks are left over.
#[test]
fn the_largest_torus_is_the_one_of_its_widths() {
    for (fabric, widths) in [
        ("dragonfly,p=2,a=4,h=2", "3.4.6"),
        ("dragonfly,p=2,a=4,h=2 ranks=70", "4.4.4"),
        ("xgft,m=4.4.4,w=1.4.4", "4.4.4"),
    ] {
        let sent = |widths: &str| {
            let torus = format!("exchange=torus_neighbor,widths={widths} bytes=4KiB");
            built(&format!("topology={fabric} {torus}")).2.exchanged
        };
        assert_eq!(sent("auto"), sent(widths), "{fabric}");
    }
}
