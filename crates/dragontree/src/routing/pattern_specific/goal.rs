//! What routes are to reach.

crate::choices! {
    /// What is to be as small as counting allows.
    pub enum Goal {
        /// The most messages on one link of each arc: nothing could be spread more evenly.
        PerArc = "per_arc", "on every arc";
        /// The same on each level.
        PerLevel = "per_level", "on every level";
        /// The same in the whole tree.
        Maximum = "maximum", "in the whole tree";
    }
}
