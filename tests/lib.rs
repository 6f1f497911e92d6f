//! What several tests share.

#[path = "shared/golden.rs"]
pub mod golden;
#[path = "shared/source.rs"]
pub mod source;
