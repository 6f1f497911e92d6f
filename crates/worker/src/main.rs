//! The complete worker. The page itself brings a small one along.

fn main() {
    dragontree_worker::serve();
}
