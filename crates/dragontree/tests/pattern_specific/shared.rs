//! Routes whose phases are solved in several places are those that one place finds.

use dragontree::routing::{Routes, Sent};
use dragontree::scenario::{Scenario, Study};

fn scenario(text: &str) -> Scenario {
    Study::parse(text).expect(text).plan().expect(text).jobs[0].scenario().clone()
}

/// The ways of a message, each with its probability.
fn ways(routes: &Routes, sent: &Sent) -> Vec<String> {
    let routes = routes.oblivious();
    let mut ways = Vec::new();
    match routes.of_message(sent.pair, sent.label) {
        Some(waypoints) => ways.push(format!("{waypoints:?}")),
        None => routes.choices(sent.pair, &mut |waypoints, share| {
            ways.push(format!("{waypoints:?} {share}"));
        }),
    }
    ways
}

#[test]
fn it_does_not_matter_where_phases_are_solved() {
    let texts = [
        "topology=xgft,m=4.4.4,w=1.4.2 exchange=all_to_all,order=opt routing=pattern_specific",
        "topology=xgft,m=4.4.4,w=1.3.2 exchange=all_to_all,order=xor routing=greedy,seed=7",
        "topology=xgft,m=4.4,w=1.2 exchange=ring,order=random routing=pattern_specific",
        "topology=xgft,m=4.4,w=1.2 traffic=shift,by=5 routing=pattern_specific",
    ];
    for text in texts {
        let scenario = scenario(text);
        let network = scenario.network().unwrap();
        let alone = scenario.routes(&network).unwrap();
        let demand = scenario.demand(&network).unwrap();

        let mut search = scenario.search_routes(&network).unwrap();
        assert_eq!(search.messages(), Some(demand.messages()));
        let mut given = Vec::new();
        // Every other share is solved elsewhere; some of the others come back as they were, or are
        // not what was asked for.
        while let Some(phases) = search.give(5) {
            given.push(phases);
        }
        for (place, phases) in given.iter().enumerate() {
            let other = given[(place + 1) % given.len()].clone();
            match place % 4 {
                0 | 2 => {
                    search.take(scenario.share_of_routes(&network, phases.clone()).unwrap());
                }
                1 => search.take_back(phases),
                _ => search.take(scenario.share_of_routes(&network, other).unwrap()),
            }
            assert!(!search.is_waiting());
            search.solve(1000);
        }
        let unsolved = given.iter().skip(3).step_by(4);
        while !search.solve(1_000_000) {
            if search.is_waiting() {
                unsolved.clone().for_each(|phases| search.take_back(phases));
            }
            assert!((0.0..=1.0).contains(&search.share()), "{}", search.share());
        }
        let together = scenario.fixed(&search.finish().unwrap()).unwrap();

        let solved = |routes: &Routes| routes.oblivious().solved().unwrap().phases().to_vec();
        assert_eq!(solved(&together), solved(&alone), "{text}");
        for sent in (0..demand.phases()).flat_map(|phase| demand.sent(phase)) {
            assert_eq!(ways(&together, &sent), ways(&alone, &sent), "{text}: {sent:?}");
        }
    }
}
