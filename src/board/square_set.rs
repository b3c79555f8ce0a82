//! Sets of squares as one machine word: 64 bits where the board fits, 128 where not.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::Square;

/// A set of squares, one bit each. Implemented by `u64` and `u128`, and by nothing else.
pub trait SquareSet:
    Copy
    + Eq
    + Ord
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + BitXorAssign
    + Not<Output = Self>
{
    /// The number of squares that fit.
    const BITS: u32;
    /// How often a distance of one square is doubled to be as long as the longest line but three
    /// squares: on a board of up to 10 by 10 in the narrow word, and on any board in the wide one.
    const DOUBLINGS: u32;
    /// The set without squares.
    const EMPTY: Self;
    /// The set of all bits, also those that are no square.
    const FULL: Self;

    /// The set of one square.
    fn single(square: Square) -> Self;
    /// The set whose bits are those of `bits`; bits that do not fit are dropped.
    fn from_bits(bits: u128) -> Self;
    /// The bits as the widest word.
    fn to_bits(self) -> u128;
    /// How many squares.
    fn len(self) -> u32;
    /// The square with the lowest number. The set must not be empty.
    fn first(self) -> Square;
    /// The set without its lowest square; empty stays empty.
    fn without_first(self) -> Self;
    /// The lowest square alone; empty stays empty.
    fn first_alone(self) -> Self;
    /// Every bit moved up by `amount` places (below [`Self::BITS`]).
    fn up(self, amount: u32) -> Self;
    /// Every bit moved down by `amount` places (below [`Self::BITS`]).
    fn down(self, amount: u32) -> Self;
    /// All bits below the lowest bit of `self`; all bits when it is empty.
    fn below_first(self) -> Self;
    /// All bits above the highest bit of `self`; all bits when it is empty.
    fn above_last(self) -> Self;
    /// The highest square alone; empty stays empty.
    fn last_alone(self) -> Self;

    /// Whether no square is in the set.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }
    /// Whether some square is in the set.
    #[inline]
    fn any(self) -> bool {
        self != Self::EMPTY
    }
    /// Whether the square is in the set.
    #[inline]
    fn contains(self, square: Square) -> bool {
        (self & Self::single(square)).any()
    }
    /// The squares of `self` that are not in `other`.
    #[inline]
    #[must_use]
    fn minus(self, other: Self) -> Self {
        self & !other
    }
    /// The square with the `index`-th lowest number (from 0). The set must have more than `index`.
    #[inline]
    fn nth(self, index: u32) -> Square {
        let mut rest = self;
        for _ in 0..index {
            rest = rest.without_first();
        }
        rest.first()
    }
    /// The squares by rising number.
    #[inline]
    fn squares(self) -> Squares<Self> {
        Squares(self)
    }
}

/// The squares of a set, by rising number.
#[derive(Clone, Debug)]
pub struct Squares<S>(S);

impl<S: SquareSet> Iterator for Squares<S> {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0.is_empty() {
            return None;
        }
        let square = self.0.first();
        self.0 = self.0.without_first();
        Some(square)
    }
}

macro_rules! square_set {
    ($word:ty, $doublings:literal doublings, from $bits:ident: $narrowed:expr) => {
        impl SquareSet for $word {
            const BITS: u32 = <$word>::BITS;
            const DOUBLINGS: u32 = $doublings;
            const EMPTY: Self = 0;
            const FULL: Self = <$word>::MAX;

            #[inline]
            fn single(square: Square) -> Self {
                1 << square.0
            }
            #[inline]
            fn from_bits($bits: u128) -> Self {
                $narrowed
            }
            #[inline]
            fn to_bits(self) -> u128 {
                self.into()
            }
            #[inline]
            fn len(self) -> u32 {
                self.count_ones()
            }
            #[inline]
            #[expect(clippy::cast_possible_truncation, reason = "a bit number is below 128")]
            fn first(self) -> Square {
                debug_assert!(self != 0, "the first square of an empty set");
                Square(self.trailing_zeros() as u8)
            }
            #[inline]
            fn without_first(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline]
            fn first_alone(self) -> Self {
                self & self.wrapping_neg()
            }
            #[inline]
            fn up(self, amount: u32) -> Self {
                self << amount
            }
            #[inline]
            fn down(self, amount: u32) -> Self {
                self >> amount
            }
            #[inline]
            fn below_first(self) -> Self {
                (self & self.wrapping_neg()).wrapping_sub(1)
            }
            #[inline]
            fn above_last(self) -> Self {
                // Without a bit, `leading_zeros` is BITS, the amount 0 and the answer all bits.
                <$word>::MAX.unbounded_shl(<$word>::BITS - self.leading_zeros())
            }
            #[inline]
            fn last_alone(self) -> Self {
                if self == 0 { 0 } else { 1 << (<$word>::BITS - 1 - self.leading_zeros()) }
            }
        }
    };
}

square_set!(u64, 3 doublings, from bits: low_half(bits));
square_set!(u128, 4 doublings, from bits: bits);

#[expect(clippy::cast_possible_truncation, reason = "documented: what does not fit is dropped")]
const fn low_half(bits: u128) -> u64 {
    bits as u64
}
