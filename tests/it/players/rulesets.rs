//! Rulesets and games for the tests of players: drawn from a seed, small enough to search plainly.

use keny::board::{Kind, Piece, Placement, Side, SquareSet, Squares};
use keny::player::Rng;
use keny::rules::{
    BlockedRule, Chain, Choices, CountedTurns, CountingStart, Direction, Directions, Filter, Game,
    Kinds, Landing, OnePieceRule, Priority, PromotionRule, Removal, RepetitionResult, ResetEvent,
    ResetEvents, Rules, Ruleset, Setup,
};

fn pick<T: Copy>(rng: &mut Rng, items: &[T]) -> T {
    items[rng.below(items.len())]
}

fn some<T: Copy>(rng: &mut Rng, items: &[T]) -> Vec<T> {
    items.iter().copied().filter(|_| rng.below(2) == 0).collect()
}

fn directions(rng: &mut Rng) -> Directions {
    let sets: [&[Direction]; 4] = [
        &[Direction::Forward, Direction::Sideways],
        &[Direction::Forward, Direction::Sideways, Direction::Backward],
        &[Direction::Forward, Direction::DiagonalForward],
        &[Direction::DiagonalForward, Direction::DiagonalBackward],
    ];
    Directions::of(pick(rng, &sets))
}

/// A ruleset on a board of this size whose other answers are all drawn.
pub(super) fn drawn(rng: &mut Rng, files: u8, ranks: u8) -> Ruleset {
    let mut rules = Ruleset::default();
    (rules.board.files, rules.board.ranks) = (files, ranks);
    rules.board.squares = pick(rng, &[Squares::All, Squares::All, Squares::Dark]);
    rules.setup.pieces = Setup::Ranks(if ranks < 6 { 0b1 } else { pick(rng, &[0b1, 0b10, 0b11]) });
    rules.setup.first = pick(rng, &Side::ALL);
    let dark = rules.board.squares == Squares::Dark;
    let diagonal = Directions::of(&[Direction::DiagonalForward, Direction::DiagonalBackward]);
    let or_diagonal = |set| if dark { diagonal } else { set };
    rules.man.step = or_diagonal(directions(rng));
    rules.man.capture = or_diagonal(directions(rng));
    rules.man.captures_kings = rng.below(4) > 0;
    rules.man.hop = or_diagonal(directions(rng));
    rules.man.hop_over = Kinds::of(&some(rng, &Kind::ALL));
    rules.king.moves = or_diagonal(directions(rng));
    rules.king.capture = or_diagonal(directions(rng));
    rules.king.flying = rng.below(2) == 0;
    rules.king.landing = pick(rng, &[Landing::Any, Landing::Nearest]);
    rules.king.reversal = rng.below(2) == 0;
    rules.king.hop_over = Kinds::of(&some(rng, &Kind::ALL));
    rules.king.hop = or_diagonal(directions(rng));
    rules.king.flying_hop = rng.below(2) == 0;
    rules.capture.mandatory = rng.below(2) == 0;
    rules.capture.complete = rng.below(2) == 0;
    if rules.capture.complete && rng.below(3) == 0 {
        rules.king.landing = Landing::Continuing;
    }
    rules.capture.priority = Priority::new(&some(rng, &Filter::ALL)).expect("each at most once");
    rules.capture.removal = pick(rng, &[Removal::Immediate, Removal::EndOfTurn]);
    rules.hop.chain = pick(rng, &[Chain::Unlimited, Chain::AtMost(1), Chain::AtMost(2)]);
    rules.hop.return_to_start = rng.below(2) == 0;
    rules.hop.then_capture = rng.below(2) == 0;
    let promotions = [
        PromotionRule::ContinueAsKing,
        PromotionRule::Stop,
        PromotionRule::ContinueAsMan,
        PromotionRule::OnlyIfEndsThere,
    ];
    rules.promotion.in_capture = pick(rng, &promotions);
    rules.promotion.in_hop = pick(rng, &promotions);
    rules.end.blocked = pick(rng, &[BlockedRule::Loss, BlockedRule::Draw]);
    rules.end.one_piece_each =
        pick(rng, &[OnePieceRule::PlayOn, OnePieceRule::Draw, OnePieceRule::KingBeatsMan]);
    rules.draw.quiet_turns = pick(rng, &[0, 2, 3, 5, 10]);
    rules.draw.counted = pick(rng, &[CountedTurns::PerSide, CountedTurns::Both]);
    rules.draw.starts = pick(rng, &[CountingStart::FirstTurn, CountingStart::FirstCapture]);
    rules.draw.reset_by = ResetEvents::of(&some(rng, &ResetEvent::ALL));
    rules.draw.repetition = pick(rng, &[0, 2, 2, 3]);
    rules.draw.repetition_result = pick(rng, &[RepetitionResult::Draw, RepetitionResult::Loss]);
    rules
}

/// A drawn ruleset under which the past matters soon.
pub(super) fn drawn_with_draws(rng: &mut Rng, files: u8, ranks: u8) -> Ruleset {
    let mut rules = drawn(rng, files, ranks);
    rules.end.one_piece_each = OnePieceRule::PlayOn;
    rules.draw.quiet_turns = pick(rng, &[0, 0, 3, 4, 5, 6]);
    rules.draw.repetition = if rules.draw.quiet_turns > 0 { 0 } else { pick(rng, &[2, 2, 3]) };
    rules
}

/// Two to four pieces anywhere, each side with one at least.
pub(super) fn few_pieces(rules: &Rules<u64>, rng: &mut Rng) -> Placement<u64> {
    let mut placement = Placement::default();
    let squares: Vec<_> = rules.geometry().squares().collect();
    let last = rules.ruleset().board.ranks - 1;
    for number in 0..2 + rng.below(3) {
        let side = Side::ALL[number % 2];
        let square = squares[rng.below(squares.len())];
        let far = rules.geometry().own_rank(square, side) == last;
        let kind = if far { Kind::King } else { pick(rng, &Kind::ALL) };
        if placement.at(square).is_none() {
            placement.put(square, Piece { side, kind });
        }
    }
    placement
}

/// A game at the start after up to `plies_max` random turns, not ended; nothing if it ends at once.
pub(super) fn game_in_progress<S: SquareSet>(
    rules: &Rules<S>,
    rng: &mut Rng,
    plies_max: usize,
) -> Option<Game<S>> {
    walked(rules, Game::new(rules), rng, plies_max)
}

/// The game after up to `plies_max` random turns, not ended; nothing if it ends at once.
pub(super) fn walked<S: SquareSet>(
    rules: &Rules<S>,
    mut game: Game<S>,
    rng: &mut Rng,
    plies_max: usize,
) -> Option<Game<S>> {
    let mut choices = Choices::new();
    let mut before = None;
    for _ in 0..=rng.below(plies_max + 1) {
        if game.choices(rules, &mut choices).is_some() {
            return before;
        }
        before = Some(game.clone());
        // Going back and forth makes repetitions likely.
        let turn = choices.get(rules, rng.below(choices.len().min(4)));
        game.play(rules, &turn);
    }
    before
}
