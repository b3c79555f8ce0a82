//! One playable square.

/// A playable square, as the number of its bit in a [`super::SquareSet`].
///
/// The number means something only together with the [`super::Geometry`] that gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(pub u8);

impl Square {
    /// The bit number, for use as an array index.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
