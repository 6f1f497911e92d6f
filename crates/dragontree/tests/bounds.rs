//! Analytic bounds against the documents' formulas and tables.

use dragontree::scenario::{Experiment, Study};

fn bound(text: &str) -> f64 {
    let plan = Study::parse(text).expect(text).plan().expect("a plan");
    let experiment = Experiment::build(plan.jobs[0].scenario(), None).expect(text);
    experiment.analysis().report.bound
}

/// Full-bisection trees keep every shift free of contention under D-mod-K (Prisacari 2020,
/// §4.5.3; Zahavi 2009, Table I, ftree column, equal to D-mod-K on these).
#[test]
fn no_shift_contends_on_a_full_tree_under_d_mod_k() {
    let trees = [
        ("m=12.12,w=1.12", 144),
        ("m=4.4.4,w=1.4.4", 64),
        ("m=2.2.2.2,w=1.2.2.2", 16),
        ("m=4.4,w=1.2,p=1.2", 16),
        ("m=4.2.4,w=1.2.2,p=1.2.2", 32),
        ("m=4.4.3,w=1.4.4", 48),
        ("m=11.7.5,w=1.11.7", 385),
    ];
    for (tree, endpoints) in trees {
        for by in 1..endpoints {
            let text = format!("topology=xgft,{tree} routing=d_mod_k traffic=shift,by={by} load=1");
            assert_eq!(bound(&text), 1.0, "{text}");
        }
    }
}

/// Half the bisection at the top halves what some shifts get: XGFT(8,4,4,2;1,8,4,2), worst
/// contention 2, mean 1.498 over the stages of a shift all-to-all.
#[test]
fn slimmed_trees_contend_as_counted_elsewhere() {
    let levels: Vec<f64> = (1..256)
        .map(|by| {
            let tree = "topology=xgft,m=8.4.4.2,w=1.8.4.2 routing=d_mod_k";
            1.0 / bound(&format!("{tree} traffic=shift,by={by} load=1"))
        })
        .collect();
    let mean = levels.iter().sum::<f64>() / levels.len() as f64;
    assert_eq!(levels.iter().copied().fold(0.0, f64::max), 2.0);
    assert!((mean - 1.498).abs() < 0.0005, "{mean}");
}

/// Bit complement sends a whole group's a·p endpoints over one global link (Prisacari 2020,
/// §6.4; the wiring makes no difference).
#[test]
fn bit_complement_is_bounded_by_one_global_link_per_group() {
    for (p, a, h) in [(2, 4, 2), (3, 6, 3), (4, 8, 4)] {
        for wiring in ["palmtree", "consecutive"] {
            let dragonfly = format!("topology=dragonfly,p={p},a={a},h={h},wiring={wiring}");
            let found = bound(&format!("{dragonfly} traffic=bit_complement load=1"));
            assert!((found - 1.0 / f64::from(a * p)).abs() < 1e-8, "{dragonfly}: {found}");
        }
    }
}

/// Uniform traffic under minimal routing: Eq. 6.8 (Prisacari 2020) at equal bandwidths.
///
/// The equation's loads divide by N; a message never goes to its own source, so the expected
/// loads are larger by N/(N - 1), and the bound smaller.
#[test]
fn uniform_bounds_follow_equation_6_8() {
    let dragonflies = [
        (2, 4, 2),
        (2, 3, 2),
        (2, 5, 2),
        (2, 4, 1),
        (3, 6, 3),
        (3, 5, 3),
        (3, 7, 3),
        (4, 8, 4),
        (4, 7, 4),
        (4, 9, 4),
        (4, 8, 3),
    ];
    for (p, a, h) in dragonflies {
        let text = format!("topology=dragonfly,p={p},a={a},h={h} load=1");
        let [p, a, h] = [p, a, h].map(f64::from);
        let n = p * a * (a * h + 1.0);
        let local = n / (p * p * (2.0 * a * h + 1.0));
        let global = n / (p * a * p * a);
        let expected = (local.min(global) * (n - 1.0) / n).min(1.0);
        let found = bound(&text);
        assert!((found - expected).abs() < 1e-6, "{text}: {found} for {expected}");
    }
}
