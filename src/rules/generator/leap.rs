//! Short leaps of men over an adjacent piece, hops and jumps alike, found for all squares at once.

use super::super::compiled::{
    AxisSet, Course, Known, Lines, Rules, Shifts, each_axis, with_known_lines,
};
use super::super::ruleset::PromotionRule;
use crate::board::SquareSet;

/// From which squares a man could leap, whether or not one stands there.
pub(super) struct Leaps<S> {
    /// For each axis: the squares from which a leap along it is possible.
    pub(super) from: [S; 8],
    /// The squares from which some leap is possible.
    pub(super) somewhere: S,
    /// The pieces that may be leapt over.
    pub(super) over: S,
}

impl<S: SquareSet> Leaps<S> {
    /// Leaps of men along a course, over the pieces of `over`, onto the squares of `empty`.
    #[inline]
    pub(super) fn new(rules: &Rules<S>, course: Course, over: S, empty: S) -> Self {
        with_known_lines!(rules, course, lines => Self::along(rules, lines, over, empty))
    }

    /// The same, where the lines are known.
    #[inline(always)]
    pub(super) fn along(rules: &Rules<S>, lines: Lines, over: S, empty: S) -> Self {
        let mut leaps = Self { from: [S::EMPTY; 8], somewhere: S::EMPTY, over };
        each_axis!(lines.axes, axis => {
            let back = axis ^ 4;
            // What falls off an edge on the way lands where no leap can begin.
            let from = lines.step(back, lines.step(back, empty) & over) & rules.can_leap[axis];
            leaps.from[axis] = from;
            leaps.somewhere |= from;
        });
        leaps
    }

    /// Those of the leaping men of which some first leap may be followed by another, or may crown
    /// and go on.
    ///
    /// A second leap never comes back to the start over the same piece, and cannot land on or leap
    /// over anything that the first has moved: it is possible just where the squares as they are
    /// allow it.
    #[inline(always)]
    pub(super) fn men_that_go_on(
        &self,
        lines: Lines,
        leaping: S,
        far_rank: S,
        promotion: PromotionRule,
    ) -> S {
        let go_on = match promotion {
            PromotionRule::Stop => self.somewhere.minus(far_rank),
            PromotionRule::ContinueAsKing | PromotionRule::ContinueAsMan => {
                self.somewhere | far_rank
            }
            PromotionRule::OnlyIfEndsThere => self.somewhere,
        };
        let mut men = S::EMPTY;
        each_axis!(lines.axes, axis => {
            let landings = lines.leap(axis, self.from[axis] & leaping) & go_on;
            men |= lines.leap(axis ^ 4, landings);
        });
        men
    }
}
