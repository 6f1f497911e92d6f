//! Contents that a text carries along: how they are written, and what can be wrong with them.

#[cfg(feature = "complete")]
use super::packed::unpack;
use super::read_digest;
#[cfg(not(feature = "complete"))]
use super::sealed::unpack;

/// The largest content that a text may carry along, in bytes.
const LARGEST: usize = 8 << 20;

/// Why a content that a text carries along cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Damaged {
    #[error("{0} is no way to carry a content that is known here, allowed: z")]
    Codec(String),
    #[error("expected z.LENGTH.CHECKSUM.DATA; the text was cut or is no such value")]
    Form,
    #[error("the content would have {0} bytes, allowed: up to {LARGEST}")]
    Large(usize),
    #[error("the content did not arrive whole: {0}; the text was cut or changed on its way")]
    Changed(&'static str),
}

impl Damaged {
    /// Letters that nothing is written with.
    pub(super) const LETTERS: Damaged = Damaged::Changed("its letters are not base64url");
}

/// The content of a value, as far as it can be unpacked here.
pub(super) fn decode(token: &str) -> Result<String, Damaged> {
    let (codec, rest) = token.split_once('.').ok_or(Damaged::Form)?;
    if codec != "z" {
        return Err(Damaged::Codec(codec.to_owned()));
    }
    let parts: Vec<&str> = rest.split('.').collect();
    let [length, checksum, data] = parts[..] else {
        return Err(Damaged::Form);
    };
    let digits = length.bytes().all(|byte| byte.is_ascii_digit());
    let length: usize = length.parse().ok().filter(|_| digits).ok_or(Damaged::Form)?;
    let checksum = read_digest(checksum).ok_or(Damaged::Form)?;
    if length > LARGEST {
        return Err(Damaged::Large(length));
    }
    unpack(data, length, checksum)
}
