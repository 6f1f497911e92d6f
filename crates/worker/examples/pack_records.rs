//! `pack_records FROM TO`: results in JSON lines as the bytes that the page brings along.

use std::{env, fs, io};

use dragontree::scenario::Record;
use dragontree_worker::pack_records;

fn main() -> io::Result<()> {
    let mut paths = env::args().skip(1);
    let (Some(from), Some(to)) = (paths.next(), paths.next()) else {
        return Err(io::Error::other("two files are needed: the results, and where to write them"));
    };
    let lines = fs::read_to_string(from)?;
    let records: Vec<Record> = lines
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()
        .map_err(io::Error::other)?;
    fs::write(to, pack_records(&records))
}
