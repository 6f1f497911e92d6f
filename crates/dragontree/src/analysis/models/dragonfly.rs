//! Uniform traffic on dragonflies (Prisacari 2020, §6.3).

/// The throughput of uniform traffic under minimal routing, as a share of the endpoints' rate
/// (Prisacari 2020, Eq. 6.8): `min(1, N/(p²(2ah + 1))·B_L/B_p, N/(pa)²·B_R/B_p)`. `local` and `global` are
/// the rates of such links, relative to an endpoint's.
pub fn uniform_throughput([p, a, h]: [u32; 3], local: f64, global: f64) -> f64 {
    let [p, a, h] = [p, a, h].map(f64::from);
    let endpoints = p * a * (a * h + 1.0);
    let of_local = endpoints / (p * p * (2.0 * a * h + 1.0)) * local;
    let of_global = endpoints / (p * a * p * a) * global;
    of_local.min(of_global).min(1.0)
}
