//! What `--help` says after the options.

pub(super) const RUN_HELP: &str = "\
Examples:
  dragontree run topology=dragonfly,p=2,a=4,h=2 traffic=bit_complement load=0.1..1:10
  dragontree run --json 'placement=contiguous placement=random load=1' | jq .metrics.accepted

Keys of --json, one object per run, in the order of the text; what does not apply is left out:
  scenario        the run as text, with everything written out
  series          the curve that it belongs to, empty when there is only one
  x               its place on the horizontal axis: a number or a name
  seed            its seed
  engine_version  the number of the engine; another one may give other numbers
  digest          64 bits over all integers of the run, in hexadecimal
  seconds         time that the run took; not part of the digest
  certificate     how good the routes are, in a sentence, where they were made for the messages
  metrics
    offered           offered load; rates are fractions of the endpoints' link rate. What ranks of
                      one endpoint send to each other is part of it, but is not sent
    offered_mean      offered on average over all endpoints, where that is 0.1 % or more below
    accepted          accepted throughput, averaged over all endpoints; of a run that deadlocks,
                      in the part of the window before all packets had stopped, 0 without any
    saturated         whether the load is above the bound, or less is accepted than offered while
                      the sources' queues grow; of a run that deadlocks only the former
    settled           whether the precision was reached before the run's limit, and packets came;
                      false of a given window in which the network still fills, that ends
                      before its endpoints can have sent a few messages, or that knows
                      what is accepted to more than ± 10 % only
    latency_ns        mean, p50, p99 (the middles of ranges about 2 % wide), max (null where
                      unbounded), zero_load (analytic; null where it depends on which of several
                      ways the packets of a message go, or ways are too many to be walked)
    bound             the offered load at which the busiest channel fills (analytic); null where
                      the routing is adaptive, or more than 100 million ways had to be walked
    busiest           that channel, or null
    why               what shares it, where it leaves a switch and fills at 100 % or below: flows
                      (from one endpoint to another), their sources and destinations, formula, and
                      the largest portions by switches, as multiples of the channel's rate
    measured_busiest  of a saturated run whose bound is not known, the channel that was busiest of
                      those that leave switches: channel, utilization; of up to 1000 packets that
                      went over it next: packets, detours (the share not on minimal ways), found
                      (a sentence), why (as above, with what was found among them in place of
                      what is computed; by the switches at one end where pairs have too little)
    below_bound       of a run that saturates more than 5 % below its bound, or whose bound is not
                      known while no channel is busy 95 % of the time, what its settings have that
                      bounds make no allowance for, such as first-in-first-out inputs, short
                      buffers, or packets in flits that hold a virtual channel
    interval          half-widths of the 95 % intervals: accepted, latency_ns (null where unknown)
    fairness          Jain's index of the sources' rates; null where nothing arrived
    worst_source      the smallest rate of a source; by chance alone 1,000 sources with about 100
                      packets each have a worst of 70, and a fairness of 0.99
    hops_mean         mean number of switches crossed
    packet_hops       switches crossed by all packets together
    max_utilization   the largest share of time that a channel between switches was busy
    rounded           whether a packet's time on a link was rounded up to whole picoseconds
    short_buffer      null, or a virtual channel's input buffer below one round trip plus a
                      packet: the channel that needs most, bytes, needed, round_trip_ns
    packets           packets delivered in the window
    warmup_ns         simulated time before the window
    window_ns         simulated time of the window
    management        the traffic between switches, where there is any: offered, accepted and its
                      interval per switch, rates as above; saturated; latency_ns: mean, p50, p99,
                      max (null where unbounded)
    deadlock          null, or the packets that wait for each other, in sentences
    deadlock_packets  the same packets: source, number (of its source), destination, holds and
                      needs (a buffer: from, port and to of the channel that leads into it as
                      dragontree loads names them, vc), since_ns; each needs what the next holds
    deadlock_ns       null, or the simulated time at which the last of them stopped moving, told
                      once they have stood for a few batches, which a given window may not last
  exchange        instead of metrics, of a text with exchange=
    completion_ns     when the last message was delivered or, where they are acknowledged, its
                      source had heard of it; null where the exchange did not come to its end
    ideal_ns          the time if no message waited for another's, where a formula tells (an
                      all-to-all of everybody on a tree, but for own messages), else null
    model_ns, model   the time of a nearest-neighbor exchange on a whole dragonfly by the model of
                      Prisacari 2020, and its formula: Eq. 5.21 for blocks in groups, Eq. 5.23 for
                      these by Valiant over a group, Eq. 5.25 for any ranks in groups (the mean of
                      30 random placements where these are two or three); of an XOR all-to-all on
                      a tree with half the roots the first-order overhead; left out elsewhere
    bound_ns          what the busiest channel takes for all messages over it, acknowledgements
                      left out; null where the routing is adaptive or endpoints differ
    busiest, why      that channel, and what it says about the completion time and shares it where
                      it leaves a switch, in sentences; or null
    effective_throughput  all bits over the completion time, the endpoints and their rate
    messages, of_messages, bytes  messages delivered, messages in all, bytes delivered
    latency_ns        of messages, from when they may be sent: mean, p50, p99, max; the smallest
                      is latency_min_ns
    packets           packets delivered; in wormhole switching a message is one
    packet_hops       switches crossed by all packets and acknowledgements
    rank_bandwidth    of a ring or ping-pong, in MB/s: min, mean, max. On a ring what a rank sends
                      over the completion time, which differs by the seed; of ping-pong the
                      length of a message over its latency
    reordering        what a broadcast takes to reorder its ranks, where order= says so: leaders,
                      queries, delays, messages, comparisons, counted
    stuck             whether messages were left over though nothing was under way
    max_utilization, rounded, short_buffer, deadlock, deadlock_packets, deadlock_ns  as above
  fabric          instead of metrics or besides, what y= asks of the network (dragontree info
                  --help)
  routes          likewise of the routes: contention and contention_mean (flows on the busiest
                  channel over all shifts of the ranks), layers, unrouted and unrouted_switches
                  (pairs)

Columns of --csv are these keys, lists and seconds left out; a part's name follows that of its
whole, and _ns comes last: latency_p99_ns, accepted_interval (of interval), why_flows (why itself
is its formula), short_buffer_needed (short_buffer itself is the channel). Of exchanges completion
is completion_ns, ideal is ideal_ns, channel_time is bound_ns, and message_latency, in
nanoseconds, the mean of latency_ns, message_latency_p99 a part of it.

Keys of --estimate --json, one object: runs, packet_hops, simulated_ns (of all runs together),
packet_hops_per_second (of a processor of this machine, as just measured), jobs (at once), seconds
(of the whole study), memory_bytes (of the largest run, times the runs at once). Nothing is
simulated: packet-hops and memory are mostly within a factor of 2, those of a run close to
saturation, or saturated by random ways of a fixed pattern, mostly within 4, within 10 where
adaptive routes leave the minimal ones, and within 20 close to what small buffers or
first-in-first-out inputs carry. Time follows from them; saturated runs and other switches are
slower. Where the metrics take no simulation, seconds is null: counting has no estimate.

Not modelled: transport protocols, congestion control, host software, errors on links. Results
depend on virtual channels, sizes of buffers and packets, the model of the switch (its crossbar is
never the bottleneck, but as fast as the links with switch=fifo_inputs), and on ties, where the
seed decides.

Ctrl-C ends the runs and shows those that have finished, but draws none, with status 130; the
second one ends the program at once.

With e= and d= in the text (the engine and the digest of earlier results), the last line on
standard error says whether they were reproduced.";

pub(super) const COURSE_HELP: &str = "\
Every run of the text is simulated and told batch by batch of its time, then how the latencies of
the packets generated in the measuring window are spread. A batch is a microsecond or longer; with
a fixed warm-up the batches begin after it. An exchange is told in 64 to 128 equal parts of its
time: how busy the links to its endpoints were, and how many messages had arrived. Examples:
  dragontree course topology=dragonfly,p=2,a=4,h=2 traffic=bit_complement load=0.5
  dragontree course topology=k_ary_n_tree,k=4,n=3 routing=d_mod_k exchange=all_to_all,order=xor

With --json, each run is one line:
  moments       for each batch: end_ns, accepted (fraction of the link rate), latency_ns (mean of
                the packets delivered in it, null without any), in_network and at_sources (packets
                at its end; at the sources about so many). For each part of an exchange: accepted
                is the share of it that the links to endpoints were busy, at_sources counts
                messages and acknowledgements, and messages those delivered until then
  window_ns     begin and end of the measuring window
  latencies     from_ns, to_ns, packets (of an exchange, messages): ranges about 2 % wide that
                hold any
  scenario, series, x, seed, saturated (not of exchanges), deadlock_ns (only after one) as run
                --json gives them";

pub(super) const LOADS_HELP: &str = "\
Every run of the text is simulated; then the busiest channels are printed, with --csv or --json
all of them. What switches send one another is measured, but not expected. Example:
  dragontree loads topology=dragonfly,p=2,a=4,h=2 routing=valiant load=0.3 --csv

With --json, each run is one line:
  channels      for each: from, port (its number at from), to, expected (by the analysis, as a
                multiple of the channel's rate; null where no bound is known, and of an
                exchange), measured (the share of the measuring window, or of the exchange, that
                it was busy)
  scenario, series, x, seed, saturated (not of exchanges), deadlock_ns (only after one) as run
                --json gives them";

pub(super) const INFO_HELP: &str = "\
Examples:
  dragontree info topology=dragonfly,p=2/4/8
  dragontree info --json 'topology=xgft,m=8.8,w=1.8 topology=dragonfly' | jq .diameter

Nothing is simulated. Keys of --json, one object per different network of the text:
  topology                the network as text, with everything written out
  faults                  what is broken of it
  seed                    the seed of random faults
  endpoints               live endpoints: those with a link
  slots                   endpoint slots, empty ones included
  switches                switches
  links                   links, those of the endpoints included
  radix                   the largest number of ports of a switch, cabled or not
  ports_per_endpoint      cabled switch ports per live endpoint
  links_per_endpoint      links per live endpoint
  diameter                links between switches on the longest of the shortest paths between
                          endpoints
  mean_distance           the mean of these paths, over all ordered pairs of different endpoints;
                          0 for a pair on one switch
  unconnected_pairs       ordered pairs of different endpoints without a path
  trees                   for imported fabrics: the widths of each fat tree that is found and
                          where it deviates, or why there is none
  distances_sampled       whether these three come from a random sample of the switches
  diversity               mean and max number of shortest paths between two switches that carry
                          endpoints and are not adjacent, parallel links counted; sampled as
                          above; null without such a pair
  bisection_per_endpoint  bandwidth of the smallest cut found between two halves of the endpoints,
                          per endpoint of a half, in units of an endpoint's: an upper bound of the
                          bisection; more than 1 where the links between switches could carry more
                          than the endpoints send
  bisection               that cut: links, endpoints moved one by one because whole switches do
                          not make equal halves (each cuts its link too), endpoints of a half
  seconds                 time that it took";

pub(super) const FIGURES_HELP: &str = "\
Keys of --json, one object per check: id, claim, source, note, study, metric, curve, x, expected,
tolerance, min, max, origin, got, three_sigma (of several seeds, of a ratio seed by seed), verdict
(met, differs, missed or failed), problem, seconds. A number differs where it is not met and
problem says why.

The status is 1 when a figure is missed or fails.";

pub(super) const LOOK_HELP: &str = "\
Examples:
  dragontree contention topology=xgft,m=4.4.4,w=1.4.4 routing=min_hop
  dragontree contention fabric.txt routing=min_hop placement=contiguous,order=lid --csv
  dragontree compare fabric.txt --json | jq 'select(.acyclic.endpoints) | .engine'

In shift s of N places the n-th sends to the (n + s)-th, modulo N; all shifts together are an
all-to-all. The order of the places decides the result. It goes along the fat tree, with place
keepers in its empty slots, where one is found, else by index; to say otherwise:
placement=contiguous,order=index|lid|ftree,keepers=no|yes or placement=random.
Counted are the flows on channels between switches; of several rails the worst counts.
With exchange= in the text its phases are counted instead, those left out in which nobody sends,
and ranks are placed as in a run; with traffic= other than uniform that, as a single phase
with a message for each pair that communicates.
Of phases on an XGFT a certificate says how good the routes are: for each level the messages on
the worst link, counted by following each of them, beside how few they can be, and the links
(an arc: all between a subtree and the level above, one way) by which that is known. A level is
optimal if it has as few, optimal by exhaustion if all ways were tried and none has fewer there
and nowhere more, else there is a gap; so is the phase if all of its levels are. With at_once=all
the certificate takes all phases for one, which else are counted each by itself. Where each
message draws one of several ways (dynamic_random, minimal) there is none: the flows above are
those expected, and compare counts one draw.

Keys of --json of contention, one object per routing and network of the text:
  topology       the network, in short
  engine, order  the routing, and the order of the places
  stages         shifts or phases
  exchange       null, or the exchange; phases: the number of each phase that was counted
  worst, mean    over all shifts, of the flows on the busiest channel; 0 where none is used
  per_stage      for each shift the flows on the busiest channel
  per_level      the same by kind of channels: level, direction (up, down or null), channels,
                 worst, mean, flows (the most on all of them together)
  histogram      how many channels carry so many flows at most: flows, channels
  unrouted       flows that were left out because they have no route
  rails          where there are several: the same for each of them
  certificate    of phases on an XGFT: summary, optimal (how many phases), at_once (all phases
                 count as one), worst_phase, phases: phase, messages, bound, achieved, verdict
                 (optimal, optimal by exhaustion or gap), levels: level, bound (by counting; a
                 phase's is also what trying all ways showed), achieved, verdict, witness
                 (subtree, name where the fabric has names, direction, messages, links);
                 --csv has the levels' numbers in one cell each, the lowest first
  uncertified    why there is no certificate of phases on an XGFT
  seconds        time that it took

Keys of --json of compare, one object per routing of `dragontree list routing`:
  engine, label  its name
  refused        null, or why it cannot route the fabric
  contention     stages, worst, mean
  endpoint_pairs, switch_pairs
                 total, connected (by cables), routed, non_minimal, longest, detour
  layers         virtual layers or channels that the routes use
  acyclic        whether routes form no cycle: endpoints, switches, together; null where that was
                 not looked at
  left_out       null, or why something was not looked at
  seconds        time that finding the routes took
For an exchange or traffic on a tree, one object per routing: topology, routing (as text), label,
refused, is_drawn (each run draws other ways), worst and mean (over the phases, of the messages on
the busiest link), optimal (how many phases), levels: level, bound, worst, mean; text (that
simulates it), phases, at_once (all phases count as one), completion_ns, ideal_ns";

pub(super) const PATTERN_HELP: &str = "\
Examples:
  dragontree pattern topology=xgft,m=4.2,w=1.1 exchange=all_to_all,order=opt
  dragontree pattern topology=dragonfly,p=2,a=4,h=2 exchange=all_to_all,order=lat --json

Nothing is simulated; routes are found where a broadcast is ordered by hops. Keys of --json, one
object per exchange and network:
  topology, exchange  both as text
  ranks, messages     their numbers; bytes of all messages together
  phases              for each phase the destination rank by source rank; null where nothing is
                      sent: a rank would send to itself, or has nothing to send
  crossings           for each level of a tree below the roots, or for the switches and groups of
                      a dragonfly: level, parts (subtrees below the level, switches, groups),
                      per_phase (messages from one part to another), busiest (the most that leave
                      or enter one part, by phase)
  seconds             time that it took";

pub(super) const MODEL_HELP: &str = "\
Examples:
  dragontree model topology=xgft,m=8.8.2,w=1.8.4 exchange=all_to_all,order=xor bytes=4KiB
  dragontree model 'exchange=nearest_neighbor,tasks=8.8.4 bandwidth=40Gbps' --json

Nothing is simulated. Keys of --json, one object per formula: topology, name, source (the document
and its formula), value (null where the formula has none), unit.";

pub(super) const SATURATION_HELP: &str = "\
Examples:
  dragontree saturation topology=dragonfly,p=2,a=4,h=2 traffic=bit_complement
  dragontree saturation 'traffic=bit_reversal placement=random seeds=5 routing=minimal' --json

Nothing is simulated: what is sent must be known beforehand, and the routing must not be adaptive.
Every source sends at full rate, whatever load= says, and two other settings may vary. In the
fair mean all flows (from one endpoint to another) grow together, each in proportion to what it
offers, until a channel is full; the flows over that one stay as they are, the others go on, until
each is held back by a channel or sends all it offers (max-min fair rates). A flow with several
ways takes each with its probability. In a simulation packets also wait for those ahead of them,
and sources with several destinations for the slowest: what it accepts is near the fair mean, but
may be less. The table has means over all seeds, and the channel of the seed where it fills first.

Keys of --json, one object per run and seed:
  scenario       the run at full load as text, with everything written out
  series, x      what varies, or the load where nothing does; seed: its seed
  throughput     the offered load at which the busiest channel fills: 1 / the largest expected
                 load of a channel at full rate; null where the routing is adaptive
  channel        that channel, or null; why: what shares it, where it leaves a switch and fills
                 at 100 % or below, as run --json gives it
  fair_mean      the mean rate over all endpoints, those that send nothing counted as 0, as a
                 fraction of their links' rate; null where it is not known: unknown says why";

pub(super) const OPTIMIZE_HELP: &str = "\
Examples:
  dragontree optimize topology=dragonfly,p=4,a=8,h=4 exchange=nearest_neighbor,tasks=4.4.4
  dragontree optimize 'exchange=nearest_neighbor,tasks=4.4.2' --keep-tasks --try blocks-valiant --json

By the formulas of Prisacari 2020, Chapter 5; nothing is simulated, and placement= and routing= do not
matter. All cuts of elements= into as many tasks as tasks= has are tried, and all blocks of them
that fit groups, of those that differ in the order of equal dimensions one. The formulas leave out
local links, and of Valiant routing what stays in a group. First is what ends first, then what has
the least demand on a global link; up to a million are tried.

Keys of --json, one object per line, the best first and then the worst:
  topology, rank (null for the worst), worth (how many times as long the worst takes as the best),
  compared (how many fit), tasks and block (tasks along each dimension, of all and of a group),
  groups (that have tasks), strategy (blocks_minimal, blocks_valiant, random_minimal), demand (the
  largest on a global link, in what a task sends), source (its formula), bandwidth (in units of
  an endpoint's link), limit (endpoint, global: what decides), bytes_per_task, completion_ns, text
  (the experiment that simulates it, for dragontree run)";

pub(super) const AUDIT_HELP: &str = "\
Examples:
  ibnetdiscover > fabric.txt; dump_lfts > tables.txt
  dragontree audit fabric.txt --lfts tables.txt
  dragontree audit fabric.txt --lfts opensm-lfts.dump --anonymize > report.txt
  dragontree route topology=fat_tree,radix=36,levels=2 routing=min_hop --fail-on deadlock

`audit` without --lfts tells what it can of the fabric alone, or of the routing of the text. With
names of InfiniBand's files ports are counted from 1, else from 0.

Keys of --json:
  engine, order    the routing, and the order of places in the shifts (see dragontree contention)
  seconds          time that finding or reading the routes took; audit_seconds that of the rest
  findings         the report in sentences: weight (fault, warning, note, good), subject, text
  endpoint_pairs, switch_pairs
                   total, connected (by cables), routed, non_minimal, longest, detour
  layers           virtual layers or channels that the routes use
  acyclic          whether routes form no cycle of waiting channels, so that they cannot deadlock:
                   endpoints, switches, together; null where that was not looked at
  cycle            the shortest one: switch, port, to, virtual_channel, and source and destination
                   of a packet that holds this channel and needs the next one
  contention       of the shift all-to-all: stages, worst, mean
  rails            each rail: endpoints, places, switches, pieces, connectivity with its gaps,
                   contention with per_stage, per_level and histogram, most_loaded channels
  uplinks          how evenly ports that lead up are used: switches, uneven, listed
  trees            fat trees that are found: tree, reason, deviations (kind, text)
  notices          what is odd in the files

--fail-on deadlock: routes of endpoints form a cycle; unreachable: endpoints that cables join have
no route, or the fabric is in pieces; saturation: flows share a channel in some shift.";

pub(super) const PATH_HELP: &str = "\
Examples:
  dragontree path fabric.txt --lfts tables.txt node17:node230
  dragontree path topology=xgft,m=4.4.4,w=1.4.4 routing=static_random 'endpoint 0:endpoint 63'
  dragontree query fabric.txt --lfts tables.txt node17:0x0002c90300100601
  echo 'query node17:node230' | dragontree query fabric.txt --lfts tables.txt -

`query` answers with a line: source, GUIDs of the switches in their order, destination (Subramoni
2011, §IV-A); what cannot be answered becomes a line “error: …”, and the status 2. It takes the
most probable path. Without --lfts the routing of the text leads.

Keys of --json: source, destination (name, guid, lid); paths, each with rail, probability, hops,
problem (null, or why it does not arrive) and steps: name, guid, lid, is_switch, in_port,
out_port, virtual_channel, entry (the local id of the forwarding table's entry), at (id and port
from 0); omitted (how many paths there are besides).";

pub(super) const EXPORT_HELP: &str = "\
Examples:
  dragontree export topology=xgft,m=4.4,w=1.4 --to ibnetdiscover -o tree.txt
  dragontree export fabric.txt --to json
  dragontree run fabric.txt routing=d_mod_k load=0.1..1:10
  dragontree export fabric.txt routing=min_hop --to lfts -o opensm-lfts.dump
  opensm -R file -U opensm-lfts.dump
  dragontree export topology=xgft,m=8.8,w=1.8 exchange=all_to_all routing=pattern_specific \\
      --to source-tables

What is left out:
  all            levels, groups and other structure
  ibnetdiscover  latencies, classes of links, local ids of ports without a cable; a rate without
                 an InfiniBand name is written as the nearest one of four lanes
  edges          GUIDs, local ids, hosts, unused ports
  dot            GUIDs, local ids, hosts
  anynet         names, addresses, ports, rates, parallel links; latencies are multiples of the
                 longest time of which all are multiples
  lfts, levels, paths, message-paths, source-tables    the network itself
What else is lost of the network at hand is said on standard error. All of these are read too, as
the files of a fabric.";

#[cfg(test)]
mod tests {
    use super::*;

    /// Wider lines are broken by clap, without the columns that they stand in.
    #[test]
    fn lines_fit() {
        for help in [
            RUN_HELP,
            COURSE_HELP,
            LOADS_HELP,
            INFO_HELP,
            FIGURES_HELP,
            LOOK_HELP,
            PATTERN_HELP,
            MODEL_HELP,
            SATURATION_HELP,
            AUDIT_HELP,
            PATH_HELP,
            EXPORT_HELP,
        ] {
            let wide = help.lines().find(|line| line.chars().count() > 98);
            assert_eq!(wide, None);
        }
    }
}
