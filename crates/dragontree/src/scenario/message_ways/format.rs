//! The forms of files with ways of messages.

/// What the ways of messages are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaysFormat {
    /// A line of comma-separated values for each message, phase by phase:
    /// `phase,source_rank,source,destination_rank,destination,path`. The path is the switches that
    /// the message passes, each with the port by which it leaves. Where routes choose among several
    /// ports of an endpoint, it begins with the source and the port by which the message leaves that.
    Csv,
    /// The same as one JSON object in each line; its `path` is an array of `{"switch", "port"}`, and
    /// the source's port, where routes choose it, is `source_port`.
    JsonLines,
    /// For each source a table of its routes: under `source RANK # NAME` the lines
    /// `PHASE DESTINATION_RANK PORT,PORT,… # NAME`. The ports are those by which a message leaves the
    /// switches on its way, from the source's own on; before these, where routes choose it, comes the
    /// port by which it leaves the source.
    SourceTables,
}

impl WaysFormat {
    /// All of them.
    pub const ALL: [WaysFormat; 3] =
        [WaysFormat::Csv, WaysFormat::JsonLines, WaysFormat::SourceTables];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            WaysFormat::Csv => "message_paths",
            WaysFormat::JsonLines => "message_paths_json",
            WaysFormat::SourceTables => "source_tables",
        }
    }

    pub(super) fn head(self) -> &'static str {
        match self {
            WaysFormat::Csv => "phase,source_rank,source,destination_rank,destination,path\n",
            WaysFormat::JsonLines => "",
            WaysFormat::SourceTables => {
                "# Under each source: phase, rank of the destination, and the ports by which the \
                 message leaves the switches on its way, after that of the source where routes \
                 choose it.\n"
            }
        }
    }
}
